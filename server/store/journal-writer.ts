import { and, eq, inArray } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { journal, outbox } from './journal-schema.ts';
import type { JournalDraft, JournalKind, JournalRow } from './journal-store.ts';
import { openSqlite } from './sqlite-file.ts';

/** The synchronous hand that writes the journal: the worker's, and that of commands that run without a server. */
export interface JournalWriter {
	/** Durable when it returns; null when `unlessSubjectHas` found a row. Throws when the id is taken. */
	append(draft: JournalDraft, unlessSubjectHas?: readonly JournalKind[]): JournalRow | null;
	/** Takes a row out of the outbox. */
	markPublished(n: number): void;
	close(): void;
}

/** Opens the journal for writing and creates it where there is none. Several processes may write at once. Throws when it cannot be opened. */
export function openJournalWriter(path: string): JournalWriter {
	const sqlite = openFile(path);
	const db = drizzle(sqlite);

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
		const { n } = db
			.insert(journal)
			.values({ ...draft, ts })
			.returning({ n: journal.n })
			.get();
		if (isPublished(draft.kind)) db.insert(outbox).values({ n }).run();
		return { ...draft, n, ts };
	});

	return {
		// Immediate: the question and the row must not have another process's row between them.
		append: (draft, unlessSubjectHas = []) => append.immediate(draft, unlessSubjectHas),
		markPublished: (n) => void db.delete(outbox).where(eq(outbox.n, n)).run(),
		close: () => void sqlite.close(),
	};
}

function openFile(path: string) {
	try {
		return openSqlite(path, 'FULL', 'journal');
	} catch (error) {
		throw new Error(
			`The journal ${path} cannot be opened (${error instanceof Error ? error.message : String(error)}). ` +
				'It holds who decided what and cannot be rebuilt: free or move the file, or restore a copy, and start again.',
			{ cause: error },
		);
	}
}

/** Appends one row without a server, for the command line; durable when it returns. */
export function appendToJournal(
	path: string,
	draft: JournalDraft,
	unlessSubjectHas?: readonly JournalKind[],
): JournalRow | null {
	const writer = openJournalWriter(path);
	try {
		return writer.append(draft, unlessSubjectHas);
	} finally {
		writer.close();
	}
}

/** Whether rows of this kind also go to the timeline. */
function isPublished(kind: JournalKind): boolean {
	return kind.startsWith('approval:') || kind.startsWith('grant:');
}
