import { parentPort, workerData } from 'node:worker_threads';
import { type CheckpointTask, type CheckpointWorkerData, openDatabase } from './open-database.ts';

/* Moves the index's write-ahead log into its file on request. */
const { path, ended } = workerData as CheckpointWorkerData;
const sqlite = openDatabase(path, { fileMustExist: true });
parentPort?.on('message', (task: CheckpointTask) => {
	if (task === 'checkpoint') {
		sqlite.pragma('wal_checkpoint(PASSIVE)');
		parentPort?.postMessage('done');
		return;
	}
	sqlite.close();
	Atomics.store(ended, 0, 1);
	Atomics.notify(ended, 0);
	parentPort?.close();
});
