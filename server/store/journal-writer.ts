import { statSync } from 'node:fs';
import { and, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { redactPayload } from './journal-chain.ts';
import { JournalFailure, journalFailure, PUT_BACK } from './journal-failure.ts';
import { holdJournalFiles } from './journal-files.ts';
import { openChain } from './journal-links.ts';
import { journal, journalPayload, outbox } from './journal-schema.ts';
import { keyPath, openJournalSigner } from './journal-signer.ts';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { refuseNewerJournal } from './journal-version.ts';
import { openSqlite } from './sqlite-file.ts';

/** Writes the journal synchronously: in the worker, and in commands that run without a server. */
export interface JournalWriter {
	/** Durable when it returns; null when `unlessSubjectHas` found a row. Throws when the id is taken. */
	append(draft: JournalDraft, unlessSubjectHas?: readonly JournalKind[]): JournalRow | null;
	/**
	 * Takes fields of row `n` out of its payload and tells it by `draft`, in one step; the chain holds as before. Null
	 * when the row has none of them.
	 */
	redact(draft: JournalDraft, n: number, fields: readonly string[]): JournalRow | null;
	/** Takes a row out of the outbox. */
	markPublished(n: number): void;
	close(): void;
}

/** Opens the journal for writing and creates it where there is none. Several processes may write at once. Throws when it cannot be opened. */
export function openJournalWriter(path: string): JournalWriter {
	const sqlite = openFile(path);
	const db = drizzle(sqlite);
	// Within a transaction: of two processes that find a blank key only one makes another.
	const signer = sqlite.transaction(() => openJournalSigner(path)).immediate();
	const chain = openChain(sqlite, signer);
	const whatBecame = holdJournalFiles(path);

	/** What is written must be found by whoever opens the journal next. */
	function demandFiles(): void {
		const reason = whatBecame();
		if (reason !== null) throw new JournalFailure(path, reason, { todo: PUT_BACK });
	}

	const append = sqlite.transaction((draft: JournalDraft, unlessSubjectHas: readonly JournalKind[]) => {
		if (unlessSubjectHas.length > 0) {
			const taken = db
				.select({ n: journal.n })
				.from(journal)
				.where(and(eq(journal.subject, draft.subject), inArray(journal.kind, [...unlessSubjectHas])))
				.limit(1)
				.get();
			if (taken) return null;
		}
		const ts = new Date().toISOString();
		const n = chain.add({ ...draft, ts });
		if (isPublished(draft.kind)) db.insert(outbox).values({ n }).run();
		return { ...draft, n, ts };
	});

	const redact = sqlite.transaction((draft: JournalDraft, n: number, fields: readonly string[]) => {
		const found = db.select().from(journalPayload).where(eq(journalPayload.n, n)).get();
		const body = found && redactPayload(found.body, fields);
		if (!body) return null;
		const ts = new Date().toISOString();
		const written = { ...draft, n: chain.add({ ...draft, ts }), ts };
		db.update(journalPayload).set({ body }).where(eq(journalPayload.n, n)).run();
		return written;
	});

	return {
		// Immediate: the question and the row must not have another process's row between them.
		append(draft, unlessSubjectHas = []) {
			demandFiles();
			return append.immediate(draft, unlessSubjectHas);
		},
		redact(draft, n, fields) {
			demandFiles();
			const row = redact.immediate(draft, n, fields);
			// What was taken out must not stay behind in free pages or in the write-ahead log.
			if (row) sqlite.pragma('wal_checkpoint(TRUNCATE)');
			return row;
		},
		markPublished: (n) => void db.delete(outbox).where(eq(outbox.n, n)).run(),
		close: () => void sqlite.close(),
	};
}

function openFile(path: string) {
	try {
		if (isEmptied(path)) throw new JournalFailure(path, 'it is empty, although a journal was here once');
		const sqlite = openSqlite(path, 'FULL', 'journal');
		refuseNewerJournal(sqlite);
		sqlite.pragma('secure_delete = ON');
		return sqlite;
	} catch (error) {
		throw journalFailure(path, error);
	}
}

/** The key is made after the first table. Another process may be making the journal anew right now, so it is looked at twice. */
function isEmptied(path: string): boolean {
	const isEmpty = () => sizeOf(path) === 0 && !sizeOf(`${path}-wal`) && sizeOf(keyPath(path)) !== undefined;
	if (!isEmpty()) return false;
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
	return isEmpty();
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size;

/** Whether rows of this kind also go to the timeline. */
function isPublished(kind: JournalKind): boolean {
	return kind.startsWith('approval:') || kind.startsWith('grant:');
}
