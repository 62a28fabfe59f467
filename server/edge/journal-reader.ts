import type { ChainHead, JournalLine } from '#lib/contract/hub/hub-wire.ts';
import { isShape } from '#lib/hub/shape-line.ts';
import { redactPayload, type SealedPayload } from '../timeline/store/journal-chain.ts';
import { openDatabase } from '../timeline/store/open-database.ts';

const PAGE = 200;
const PAGE_BYTES = 512 * 1024;

type Found = Omit<JournalLine, 'payload'> & { body: string };

export function openJournalReader(path: string) {
	const sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
	const last = sqlite.prepare<[], ChainHead>(
		'SELECT n, hash FROM journal WHERE hash IS NOT NULL ORDER BY n DESC LIMIT 1',
	);
	const after = sqlite.prepare<[number, number], Found>(
		`SELECT j.n, j.id, j.ts, j.kind, j.subject, j.session_id AS sessionId, j.payload_hash AS payloadHash, j.signer, j.hash, p.body
		FROM journal j JOIN journal_payload p ON p.n = j.n WHERE j.n > ? AND j.hash IS NOT NULL ORDER BY j.n LIMIT ?`,
	);

	const newest = sqlite.prepare<[string], { n: number | null }>('SELECT max(n) AS n FROM journal WHERE subject = ?');

	const joined = sqlite.prepare<[], { ts: string }>(
		"SELECT ts FROM journal WHERE kind IN ('hub:join', 'hub:leave') ORDER BY n DESC LIMIT 1",
	);

	return {
		joinedAt: (): string | undefined => joined.get()?.ts,
		rowOf: (subject: string): number => newest.get(subject)?.n ?? 0,
		head: (): ChainHead | null => last.get() ?? null,
		/** Rows of sessions that are not shared are sent as digests, which are enough to check the chain. */
		page(
			from: number,
			{ isShared, content }: { isShared: (sessionId: string) => boolean; content: 'all' | 'shape' },
		): JournalLine[] {
			const lines: JournalLine[] = [];
			let bytes = 0;
			for (const { body, ...row } of after.iterate(from, PAGE)) {
				const sealed = JSON.parse(body) as SealedPayload;
				const keeps = row.sessionId !== null && isShared(row.sessionId);
				const hidden = Object.keys(sealed).filter((name) => !keeps || (content === 'shape' && !isShape(name)));
				const payload = JSON.stringify(redactPayload(sealed, hidden) ?? sealed);
				bytes += payload.length;
				if (bytes > PAGE_BYTES && lines.length > 0) break;
				lines.push({ ...row, payload });
			}
			return lines;
		},
		close: () => void sqlite.close(),
	};
}

export type JournalReader = ReturnType<typeof openJournalReader>;
