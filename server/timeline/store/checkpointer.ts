import { Worker } from 'node:worker_threads';
import type { CheckpointTask, CheckpointWorkerData } from './checkpoint-worker.ts';
import type { Database } from './open-database.ts';

/** Pages written between two checkpoints: 14 MB of log. */
const PAGES_BETWEEN = 3500;
/** The writer checkpoints by itself only at so many pages (64 MB), if the worker does not keep up. */
const BACKSTOP_PAGES = 16_384;
/** How long `stop` waits for a running checkpoint, in ms. */
const STOP_MS = 10_000;

/**
 * Moves checkpoints off the writing thread: there they sync the disk, which made every hundredth batch of the tail wait 9 ms (0.2
 * ms without), and no sync may delay a hook (DESIGN 1).
 */
export function createCheckpointer(sqlite: Database) {
	sqlite.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`);
	/** Its first number becomes 1 when the worker has closed its connection. */
	const ended = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
	let worker: Worker | undefined;
	let busy = false;
	let pages = 0;

	function start(): Worker {
		const started = new Worker(workerFile(), {
			workerData: { path: sqlite.name, ended } satisfies CheckpointWorkerData,
			execArgv: [],
		});
		started.unref();
		const end = () => {
			if (worker === started) worker = undefined;
			busy = false;
		};
		started.on('message', () => {
			busy = false;
		});
		// Without a worker the writer checkpoints; the next checkpoint tries another worker.
		started.on('error', end);
		started.on('exit', end);
		return started;
	}

	return {
		/** `count`: about how many pages a transaction has changed. */
		noteWritten(count: number) {
			pages += count;
			if (busy || pages < PAGES_BETWEEN) return;
			pages = 0;
			busy = true;
			worker ??= start();
			worker.postMessage('checkpoint' satisfies CheckpointTask);
		},
		/** Blocks until the worker is done: ending a thread while the driver works aborts the whole process. */
		stop() {
			if (!worker) return;
			worker.postMessage('end' satisfies CheckpointTask);
			Atomics.wait(ended, 0, 0, STOP_MS);
		},
	};
}

/** `dist/` holds the built worker beside the program. */
const workerFile = () =>
	import.meta.url.endsWith('.ts')
		? new URL('./checkpoint-worker-from-source.mjs', import.meta.url)
		: new URL('./checkpoint-worker.js', import.meta.url);
