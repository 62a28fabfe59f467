import { Worker } from 'node:worker_threads';
import { reasonOf } from '../../process/failure-words.ts';
import { isDamagedFile, JournalUnwritten, START_ANEW } from './journal-failure.ts';
import { openJournalReads } from './journal-reads.ts';
import type { JournalRow, JournalStore } from './journal-store.ts';
import type { JournalAnswer, JournalTask } from './journal-worker.ts';

/** A task without its number. */
type Request = JournalTask extends infer T ? (T extends JournalTask ? Omit<T, 'task'> : never) : never;

interface Pending {
	resolve(row: JournalRow | null): void;
	reject(error: Error): void;
}

/**
 * Opens the journal. Writes go to a worker thread; when that dies, appends in flight are refused (whether they were
 * written is then unknown: ask `has`) and the next append starts another. Rejects when the file cannot be opened.
 */
export async function openSqliteJournal(path: string, options: { workerUrl?: URL } = {}): Promise<JournalStore> {
	let damage: string | null = null;
	const distrust = (reason: string) => {
		damage ??= reason;
	};
	const writer = createWriterThread(path, options.workerUrl ?? workerBeside(import.meta.url), distrust);
	await writer.open();
	const { close: closeReads, ...reads } = openJournalReads(path);
	return {
		...watched(reads, distrust),
		distrust,
		distrusted: () => damage,
		async append(draft, unlessSubjectHas = []) {
			if (damage !== null) throw new JournalUnwritten(`${damage}; ${START_ANEW}`);
			return writer.ask({ do: 'append', draft, unlessSubjectHas });
		},
		async markPublished(n) {
			await writer.ask({ do: 'markPublished', n });
		},
		async close() {
			// The writer goes last: only it can bring what the write-ahead log holds into the file, which a copy is made of.
			closeReads();
			await writer.close();
		},
	};
}

/** The same questions; one that comes upon damage tells it. */
function watched<T extends Record<string, (...args: never[]) => unknown>>(reads: T, tell: (reason: string) => void): T {
	const entries = Object.entries(reads).map(([name, read]) => [
		name,
		(...args: never[]) => {
			try {
				return read(...args);
			} catch (error) {
				if (isDamagedFile(error)) tell(reasonOf(error));
				throw error;
			}
		},
	]);
	return Object.fromEntries(entries) as T;
}

/** `dist/` holds the built worker beside the program. */
function workerBeside(url: string): URL {
	return new URL(url.endsWith('.ts') ? './journal-worker-from-source.mjs' : './journal-worker.js', url);
}

/** The worker, started when it is needed, with the answers that it still owes. */
function createWriterThread(path: string, url: URL, damaged: (reason: string) => void) {
	let current: { worker: Worker; pending: Map<number, Pending>; opened: Promise<JournalRow | null> } | undefined;
	let last = 0;
	let closed = false;

	function start() {
		// No loader of the main thread: the worker brings its own.
		const worker = new Worker(url, { workerData: path, execArgv: [] });
		const pending = new Map<number, Pending>();
		// The worker answers task 0 when it has opened the file.
		const started = { worker, pending, opened: owe(pending, 0) };
		worker.on('message', (answer: JournalAnswer) => {
			const asked = pending.get(answer.task);
			pending.delete(answer.task);
			if ('failure' in answer && answer.damaged) damaged(answer.failure);
			if ('failure' in answer) asked?.reject(failureOf(answer));
			else asked?.resolve(answer.row);
		});
		worker.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
		worker.on('exit', (code) => lose(`its thread ended with code ${code}`));
		function lose(why: string) {
			if (current === started) current = undefined;
			const error = new Error(
				`The journal's writer stopped (${why}). Whether this row was kept is not known; try again.`,
			);
			for (const asked of pending.values()) asked.reject(error);
			pending.clear();
		}
		return started;
	}

	async function ask(request: Request): Promise<JournalRow | null> {
		if (closed) throw new Error('The journal is closed: the server is stopping.');
		current ??= start();
		const { worker, pending, opened } = current;
		await opened;
		last += 1;
		const answer = owe(pending, last);
		worker.postMessage({ ...request, task: last } satisfies JournalTask);
		return answer;
	}

	return {
		ask,
		async open() {
			current ??= start();
			await current.opened;
		},
		async close() {
			if (closed) return;
			const ending = current?.worker;
			// It ends by itself then: a thread that is ended while the driver works in it aborts the whole process.
			const ended = ending && new Promise<void>((resolve) => ending.once('exit', () => resolve()));
			if (current) await ask({ do: 'close' });
			closed = true;
			await ended;
		},
	};
}

/** Of task 0 it is why the file cannot be opened, which says all by itself. */
function failureOf({ task, failure }: { task: number; failure: string }): Error {
	return task === 0 ? new Error(failure) : new JournalUnwritten(failure);
}

function owe(pending: Map<number, Pending>, task: number): Promise<JournalRow | null> {
	return new Promise((resolve, reject) => pending.set(task, { resolve, reject }));
}
