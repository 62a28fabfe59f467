/*
 * Moves the index's write-ahead log into its file whenever it is told to. Plain JavaScript, so that it starts the same
 * from the source and from dist.
 */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const sqlite = new Database(workerData, { fileMustExist: true });
parentPort?.on('message', () => {
	sqlite.pragma('wal_checkpoint(PASSIVE)');
	parentPort?.postMessage('done');
});
