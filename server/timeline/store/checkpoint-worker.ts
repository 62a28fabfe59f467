import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './open-database.ts';

export type CheckpointTask = 'checkpoint' | 'end';

/** `ended[0]` becomes 1 when the connection is closed. */
export interface CheckpointWorkerData {
	path: string;
	ended: Int32Array;
}

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
