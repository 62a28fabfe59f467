import { Worker } from 'node:worker_threads';
import { and, asc, desc, eq, gte, inArray, lt, notExists, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { inEnglish } from '#lib/messages/sentence.ts';
import { reasonOf } from '../../process/failure-words.ts';
import { openPayload, type SealedPayload } from './journal-chain.ts';
import { HOW_TO_REPAIR, isDamagedFile, JournalUnwritten } from './journal-failure.ts';
import { journal, journalPayload, outbox } from './journal-schema.ts';
import type { JournalRow, JournalStore } from './journal-store.ts';
import type { JournalAnswer, JournalTask } from './journal-worker.ts';
import { openDatabase } from './open-database.ts';
import { drizzle } from './sqlite-file.ts';

type Request = JournalTask extends infer T ? (T extends JournalTask ? Omit<T, 'task'> : never) : never;

interface Pending {
	resolve(row: JournalRow | null): void;
	reject(error: Error): void;
}

/**
 * Opens the journal. If its writer thread dies, appends in flight are refused (ask `has` whether they were written), and the next
 * append starts another. Rejects if the file cannot be opened.
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
			if (damage !== null) throw new JournalUnwritten(`${damage}; ${inEnglish(HOW_TO_REPAIR)}`);
			return writer.ask({ do: 'append', draft, unlessSubjectHas });
		},
		async markPublished(n) {
			await writer.ask({ do: 'markPublished', n });
		},
		async close() {
			// The writer last: only it can move the write-ahead log into the file, from which copies are made.
			closeReads();
			await writer.close();
		},
	};
}

/** The same queries; reports damage that one finds. */
function watched<T extends Record<string, (...args: never[]) => unknown>>(
	reads: T,
	report: (reason: string) => void,
): T {
	const entries = Object.entries(reads).map(([name, read]) => [
		name,
		(...args: never[]) => {
			try {
				return read(...args);
			} catch (error) {
				if (isDamagedFile(error)) report(reasonOf(error));
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

/** The worker, started on demand, with its pending answers. */
function createWriterThread(path: string, url: URL, damaged: (reason: string) => void) {
	let current: { worker: Worker; pending: Map<number, Pending>; opened: Promise<JournalRow | null> } | undefined;
	let last = 0;
	let closed = false;

	function start() {
		// Without the main thread's loader: the worker has its own.
		const worker = new Worker(url, { workerData: path, execArgv: [] });
		const pending = new Map<number, Pending>();
		// The worker answers task 0 when it has opened the file.
		const started = { worker, pending, opened: pendingTask(pending, 0) };
		worker.on('message', (answer: JournalAnswer) => {
			const request = pending.get(answer.task);
			pending.delete(answer.task);
			if ('failure' in answer && answer.damaged) damaged(answer.failure);
			if ('failure' in answer) request?.reject(failureOf(answer));
			else request?.resolve(answer.row);
		});
		worker.on('error', (error) => lose(error instanceof Error ? error.message : String(error)));
		worker.on('exit', (code) => lose(`its thread ended with code ${code}`));
		function lose(why: string) {
			if (current === started) current = undefined;
			const error = new Error(
				`The journal's writer stopped (${why}). Whether this row was kept is not known; try again.`,
			);
			for (const request of pending.values()) request.reject(error);
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
		const answer = pendingTask(pending, last);
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
			// It ends by itself: ending a thread while the driver works aborts the whole process.
			const ended = ending && new Promise<void>((resolve) => ending.once('exit', () => resolve()));
			if (current) await ask({ do: 'close' });
			closed = true;
			await ended;
		},
	};
}

/** For task 0 this is a complete sentence about why the file cannot be opened. */
function failureOf({ task, failure }: { task: number; failure: string }): Error {
	return task === 0 ? new Error(failure) : new JournalUnwritten(failure);
}

function pendingTask(pending: Map<number, Pending>, task: number): Promise<JournalRow | null> {
	return new Promise((resolve, reject) => pending.set(task, { resolve, reject }));
}

type Reads = Pick<
	JournalStore,
	'bySubject' | 'bySubjectStart' | 'byKind' | 'openRows' | 'has' | 'find' | 'unpublished' | 'head'
> & {
	close(): void;
};

/** Reads over a connection that cannot write; sees every row that any process has committed. */
export function openJournalReads(path: string): Reads {
	const sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
	const db = drizzle(sqlite);
	const { n, id, ts, kind, subject, sessionId } = journal;
	const ended = alias(journal, 'ended');
	const columns = { n, id, ts, kind, subject, sessionId, body: journalPayload.body };
	const rows = () => db.select(columns).from(journal).innerJoin(journalPayload, eq(journalPayload.n, n)).$dynamic();
	// Runs for every request and list entry: building such a query costs ten times as much as running it.
	const subjectRows = rows()
		.where(eq(subject, sql.placeholder('subject')))
		.orderBy(asc(n))
		.prepare();
	const rowOfId = rows()
		.where(eq(id, sql.placeholder('id')))
		.prepare();
	const numberOfId = db
		.select({ n })
		.from(journal)
		.where(eq(id, sql.placeholder('id')))
		.prepare();
	return {
		bySubject: (about) => subjectRows.all({ subject: about }).map(toRow),
		bySubjectStart(start) {
			// `g` follows all hexadecimal digits, so the index finds the range.
			const wanted = and(gte(subject, start), lt(subject, `${start}g`));
			return rows().where(wanted).orderBy(asc(n)).all().map(toRow);
		},
		byKind(kinds, { sinceMs, limit }) {
			const since = sinceMs === undefined ? undefined : gte(ts, new Date(sinceMs).toISOString());
			const wanted = and(inArray(kind, [...kinds]), since);
			return rows().where(wanted).orderBy(desc(n)).limit(limit).all().map(toRow).reverse();
		},
		openRows(wanted, end, limit) {
			const ends = db
				.select({ n: ended.n })
				.from(ended)
				.where(and(eq(ended.subject, subject), eq(ended.kind, end)));
			const stands = and(eq(kind, wanted), notExists(ends));
			return rows().where(stands).orderBy(desc(n)).limit(limit).all().map(toRow).reverse();
		},
		has: (wanted) => numberOfId.get({ id: wanted }) !== undefined,
		find(wanted) {
			const row = rowOfId.get({ id: wanted });
			return row && toRow(row);
		},
		unpublished: (limit) => rows().innerJoin(outbox, eq(outbox.n, n)).orderBy(asc(n)).limit(limit).all().map(toRow),
		head() {
			const last = db.select({ n, hash: journal.hash }).from(journal).orderBy(desc(n)).limit(1).get();
			return last?.hash ? { n: last.n, hash: last.hash } : null;
		},
		close: () => void sqlite.close(),
	};
}

type FoundRow = Omit<JournalRow, 'payload' | 'redacted' | 'sessionId'> & {
	sessionId: string | null;
	body: SealedPayload;
};

function toRow({ sessionId, body, ...row }: FoundRow): JournalRow {
	const { payload, redacted } = openPayload(body);
	const taken = redacted.length > 0 && { redacted };
	return { ...row, payload, ...(sessionId !== null && { sessionId }), ...taken };
}
