import { asc, eq, isNull } from 'drizzle-orm';
import { type ChainedRow, GENESIS, payloadHash, rowHash, sealPayload } from './journal-chain.ts';
import { journal, journalKey, journalPayload } from './journal-schema.ts';
import type { JournalSigner } from './journal-signer.ts';
import type { JournalDraft } from './journal-store.ts';
import type { Database } from './open-database.ts';
import { drizzle } from './sqlite-file.ts';

/** Opens the chain for writing. Rows of a former version are linked first. */
export function openChain(sqlite: Database, signer: JournalSigner) {
	const db = drizzle(sqlite);
	db.insert(journalKey).values({ name: signer.name, publicKey: signer.publicKey }).onConflictDoNothing().run();

	/** A row's links and signature. */
	const linkRow = (previous: string, row: Omit<ChainedRow, 'signer'>) => {
		const hash = rowHash(previous, { ...row, signer: signer.name });
		return { payloadHash: row.payloadHash, signer: signer.name, hash, signature: signer.sign(hash) };
	};
	// Prepared once: building the query again for each row costs as much as writing it.
	const last = sqlite.prepare<[], { n: number; hash: string | null }>(
		'SELECT n, hash FROM journal ORDER BY n DESC LIMIT 1',
	);
	const putRow = rowWriter(sqlite);

	const linkFormer = sqlite.transaction(() => {
		const former = db.select().from(journal).where(isNull(journal.hash)).orderBy(asc(journal.n)).all();
		let previous = GENESIS;
		for (const { n, id, ts, kind, subject, sessionId } of former) {
			const plain = db.select().from(journalPayload).where(eq(journalPayload.n, n)).get();
			const body = sealPayload(plain?.body ?? {});
			const link = linkRow(previous, { n, id, ts, kind, subject, sessionId, payloadHash: payloadHash(body) });
			db.update(journalPayload).set({ body, sealed: true }).where(eq(journalPayload.n, n)).run();
			db.update(journal).set(link).where(eq(journal.n, n)).run();
			previous = link.hash;
		}
	});
	if (db.select({ n: journal.n }).from(journal).where(isNull(journal.hash)).limit(1).get()) linkFormer.immediate();

	return {
		/** The last row; null if there is none. */
		head() {
			const found = last.get();
			return found?.hash ? { n: found.n, hash: found.hash } : null;
		},
		/** Returns the row's number: the next one, or `at` if rows in between were lost. */
		add({ payload, id, ts, kind, subject, sessionId: named }: JournalDraft & { ts: string }, at?: number) {
			const sessionId = named ?? null;
			const before = last.get();
			const n = at ?? (before?.n ?? 0) + 1;
			const body = sealPayload(payload);
			const fields = { n, id, ts, kind, subject, sessionId, payloadHash: payloadHash(body) };
			const link = linkRow(before?.hash ?? GENESIS, fields);
			putRow({ ...fields, ...link }, JSON.stringify(body));
			return n;
		},
	};
}

/** Writes a row that has its place in the chain, and its payload. */
export function rowWriter(sqlite: Database) {
	const putRow = sqlite.prepare(
		`INSERT INTO journal (n, id, ts, kind, subject, session_id, payload_hash, signer, hash, signature)
		VALUES (@n, @id, @ts, @kind, @subject, @sessionId, @payloadHash, @signer, @hash, @signature)`,
	);
	const putPayload = sqlite.prepare('INSERT INTO journal_payload (n, body, sealed) VALUES (?, ?, 1)');
	return (row: ChainedRow, body: string | null) => {
		putRow.run(row);
		putPayload.run(row.n, body);
	};
}

export type Chain = ReturnType<typeof openChain>;
