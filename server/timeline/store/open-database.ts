import { existsSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { backup, DatabaseSync, type StatementSyncInstance } from '@photostructure/sqlite';

/** How a file is opened. `timeout` is how long a statement waits for another process's lock, in ms (5 s unless given). */
export interface DatabaseOptions {
	readonly?: boolean;
	fileMustExist?: boolean;
	timeout?: number;
}

/** An error of SQLite. `code` is the name of SQLite's primary result, e.g. `SQLITE_BUSY`. */
export class SqliteError extends Error {
	override readonly name = 'SqliteError';
	readonly code: string;

	constructor(message: string, code: string) {
		super(message);
		this.code = code;
	}
}

type Begin = 'BEGIN' | 'BEGIN IMMEDIATE';

/** A function that runs in a transaction; `immediate` takes the lock for writing at its start. */
export interface Transaction<P extends unknown[], R> {
	(...args: P): R;
	deferred(...args: P): R;
	immediate(...args: P): R;
}

/** A prepared statement: `P` are its parameters, `R` is a row (or its first column, after `pluck`). */
export class Statement<P extends unknown[] = unknown[], R = unknown> {
	readonly #native: StatementSyncInstance;
	#isPlucked = false;
	#readsBigInts = false;

	constructor(native: StatementSyncInstance) {
		this.#native = native;
	}

	/** Returns the first column of each row. */
	pluck(): this {
		this.#isPlucked = true;
		return this.raw();
	}

	/** Returns each row as an array. */
	raw(): this {
		this.#native.setReturnArrays(true);
		return this;
	}

	/** `lastInsertRowid` is exact up to 2^53. */
	run(...values: P): { changes: number; lastInsertRowid: number } {
		try {
			// The full-text index has larger row ids, which the driver returns only as bigints.
			if (!this.#readsBigInts) this.#native.setReadBigInts(true);
			this.#readsBigInts = true;
			const { changes, lastInsertRowid } = this.#native.run(...values);
			return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
		} catch (error) {
			throw named(error);
		}
	}

	get(...values: P): R | undefined {
		try {
			const row = this.#native.get(...values);
			return this.#isPlucked ? row?.[0] : row;
		} catch (error) {
			throw named(error);
		}
	}

	all(...values: P): R[] {
		try {
			const rows = this.#native.all(...values);
			return this.#isPlucked ? rows.map((row) => row[0]) : rows;
		} catch (error) {
			throw named(error);
		}
	}

	*iterate(...values: P): IterableIterator<R> {
		try {
			for (const row of this.#native.iterate(...values)) yield this.#isPlucked ? row[0] : row;
		} catch (error) {
			throw named(error);
		}
	}
}

/** An open SQLite database. This file is the only one that names the driver. */
export class Database {
	readonly name: string;
	readonly #native: InstanceType<typeof DatabaseSync>;

	/** Throws SqliteError if it cannot be opened; for a file of another format the first statement throws. */
	constructor(path: string, { readonly = false, fileMustExist = false, timeout = 5000 }: DatabaseOptions) {
		this.name = path;
		if (fileMustExist && !existsSync(path)) {
			throw new SqliteError(`unable to open database file ${path}`, 'SQLITE_CANTOPEN');
		}
		this.#native = attempt(
			() => new DatabaseSync(path, { readOnly: readonly, timeout, allowUnknownNamedParameters: true }),
		);
	}

	/** False after `close`. */
	get open(): boolean {
		return this.#native.isOpen;
	}

	prepare<P extends unknown[] = unknown[], R = unknown>(sql: string): Statement<P, R> {
		return new Statement<P, R>(attempt(() => this.#native.prepare(sql)));
	}

	exec(sql: string): this {
		attempt(() => this.#native.exec(sql));
		return this;
	}

	/** The result rows of a pragma; with `simple` the first column of the first one. */
	pragma(text: string, { simple = false }: { simple?: boolean } = {}): unknown {
		const statement = this.prepare(`PRAGMA ${text}`);
		return simple ? statement.pluck().get() : statement.all();
	}

	/** Runs `work` completely or not at all; nested, it can fail alone. */
	transaction<P extends unknown[], R>(work: (...args: P) => R): Transaction<P, R> {
		const within =
			(begin: Begin) =>
			(...args: P) =>
				this.#transact(begin, () => work(...args));
		const deferred = within('BEGIN');
		return Object.assign((...args: P) => deferred(...args), { deferred, immediate: within('BEGIN IMMEDIATE') });
	}

	#transact<R>(begin: Begin, work: () => R): R {
		const isNested = this.#native.isTransaction;
		this.exec(isNested ? 'SAVEPOINT part' : begin);
		try {
			const result = work();
			this.exec(isNested ? 'RELEASE part' : 'COMMIT');
			return result;
		} catch (error) {
			// SQLite may have rolled it back already, for example on a full disk.
			if (this.#native.isTransaction) this.exec(isNested ? 'ROLLBACK TO part; RELEASE part' : 'ROLLBACK');
			throw error;
		}
	}

	/** Copies a consistent state to a new file at `path`, while others write. */
	async backup(path: string): Promise<void> {
		try {
			await backup(this.#native, path);
		} catch (error) {
			throw named(error);
		}
	}

	/** Idempotent. */
	close(): void {
		if (this.open) this.#native.close();
	}
}

/** Opens the database at `path`. */
export function openDatabase(path: string, options: DatabaseOptions = {}): Database {
	return new Database(path, options);
}

function attempt<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw named(error);
	}
}

/** Turns SQLite's errors into SqliteError; other errors, such as for a wrong argument, stay as they are. */
function named(error: unknown): unknown {
	if (!(error instanceof Error && 'sqliteCodeName' in error)) return error;
	return new SqliteError(error.message, String(error.sqliteCodeName));
}

/** What the thread beside is asked to do. */
export type CheckpointTask = 'checkpoint' | 'end';

export interface CheckpointWorkerData {
	path: string;
	/** Its first number becomes 1 when the worker has closed its connection. */
	ended: Int32Array;
}

/** Pages written between two checkpoints: 14 MB of log. */
const PAGES_BETWEEN = 3500;
/** The writer checkpoints by itself only at so many pages (64 MB), if the worker does not keep up. */
const BACKSTOP_PAGES = 16_384;
/** How long `stop` waits for a running checkpoint, in ms. */
const STOP_MS = 10_000;

/**
 * Moves checkpoints to a worker. Here their sync made every hundredth batch of the tail wait 9 ms (0.2 ms without), and no sync
 * may delay a hook.
 */
export function createCheckpointer(sqlite: Database) {
	sqlite.pragma(`wal_autocheckpoint = ${BACKSTOP_PAGES}`);
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
			// The process may not end before the thread has: that would abort it, too.
			worker.ref();
		},
	};
}

/** `dist/` holds the built worker beside the program. */
const workerFile = () =>
	import.meta.url.endsWith('.ts')
		? new URL('./checkpoint-worker-from-source.mjs', import.meta.url)
		: new URL('./checkpoint-worker.js', import.meta.url);
