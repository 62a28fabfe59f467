import { and, eq, inArray } from 'drizzle-orm';
import { inEnglish } from '#lib/messages/sentence.ts';
import { redactPayload } from './journal-chain.ts';
import { HOW_TO_RESTORE, JournalFailure, journalFailure, refuseNewerJournal } from './journal-failure.ts';
import { holdJournalFiles, markOf, whatIsLost, writeSeen } from './journal-files.ts';
import { openChain } from './journal-links.ts';
import { journal, journalPayload, outbox } from './journal-schema.ts';
import { openJournalSigner } from './journal-signer.ts';
import type { JournalDraft, JournalKind } from './journal-store.ts';
import { SqliteError } from './open-database.ts';
import { drizzle, openSqlite } from './sqlite-file.ts';

/**
 * Opens the journal for writing, in the worker or in a command without a server, and creates it if there is none. Several processes
 * may write at once. Throws if it cannot be opened.
 */
export function openJournalWriter(path: string) {
	const sqlite = openFile(path);
	const db = drizzle(sqlite);
	// In a transaction: of two processes that find an empty key only one creates another.
	const signer = sqlite.transaction(() => openJournalSigner(path)).immediate();
	const chain = openChain(sqlite, signer);
	const findLoss = holdJournalFiles(path);

	/** A file that was moved or replaced meanwhile would lose what is written into it. */
	function demandFiles(): void {
		const reason = findLoss();
		if (reason !== null) throw new JournalFailure(path, reason, { todo: inEnglish(HOW_TO_RESTORE) });
	}

	let stamp = markOf(path);
	/** Checks a file that others have changed, without the cached pages, which would hide the change. */
	function demandWhole(): void {
		demandFiles();
		if (markOf(path) === stamp) return;
		sqlite.pragma('shrink_memory');
		const found = String(sqlite.pragma('quick_check(1)', { simple: true }));
		if (found !== 'ok') throw new SqliteError(found.split('\n').at(-1) ?? found, 'SQLITE_CORRUPT');
	}
	/** Makes a change only while the files are whole. */
	function whenWhole<T>(change: () => T): T {
		demandWhole();
		const changed = change();
		stamp = markOf(path);
		return changed;
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

	let notedHash: string | undefined;
	function remember(): void {
		try {
			const head = chain.head();
			if (head === null || head.hash === notedHash || findLoss() !== null) return;
			writeSeen(path, head);
			notedHash = head.hash;
		} catch {
			// The row is stored anyway; only a loss right after it would be noticed later.
		}
	}

	return {
		/** Durable when it returns; null if `unlessSubjectHas` found a row. Throws if the id is taken. */
		// Immediate, so that no other process writes between the question and the row.
		append: (draft: JournalDraft, unlessSubjectHas: readonly JournalKind[] = []) =>
			whenWhole(() => append.immediate(draft, unlessSubjectHas)),
		/** Removes fields of row `n`, and records that by `draft`, in one step. Null if the row has none of them. */
		redact: (draft: JournalDraft, n: number, fields: readonly string[]) =>
			whenWhole(() => {
				const row = redact.immediate(draft, n, fields);
				// Removed fields must not remain in free pages or in the write-ahead log.
				if (row) sqlite.pragma('wal_checkpoint(TRUNCATE)');
				return row;
			}),
		markPublished: (n: number) => void whenWhole(() => db.delete(outbox).where(eq(outbox.n, n)).run()),
		/** Notes the newest row beside the journal, so that its loss is noticed. */
		remember,
		close() {
			remember();
			sqlite.close();
		},
	};
}

export type JournalWriter = ReturnType<typeof openJournalWriter>;

function openFile(path: string) {
	try {
		const lost = whatIsLost(path);
		if (lost !== null) throw new JournalFailure(path, `it is ${lost}, although a journal was here once`);
		const sqlite = openSqlite(path, 'FULL', 'journal');
		refuseNewerJournal(sqlite);
		sqlite.pragma('secure_delete = ON');
		return sqlite;
	} catch (error) {
		throw journalFailure(path, error);
	}
}

const PUBLISHED = /^(?:approval|grant|alarm|note):/;

const isPublished = (kind: JournalKind): boolean => PUBLISHED.test(kind);
