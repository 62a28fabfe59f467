import { parentPort, workerData } from 'node:worker_threads';
import { openDatabase } from './open-database.ts';

/* Moves the index's write-ahead log into its file whenever it is told to. */
const sqlite = openDatabase(workerData, { fileMustExist: true });
parentPort?.on('message', () => {
	sqlite.pragma('wal_checkpoint(PASSIVE)');
	parentPort?.postMessage('done');
});
