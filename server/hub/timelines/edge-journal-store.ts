import type { ChainHead, JournalLine } from '#lib/contract/hub/hub-wire.ts';
import { parsedObject } from '#lib/json/json.ts';
import { GENESIS, openPayload, payloadHash, rowHash, type SealedPayload } from '../../timeline/store/journal-chain.ts';
import type { JournalKind, JournalRow } from '../../timeline/store/journal-store.ts';
import type { Query } from '../database/database.ts';

export interface StoredRow {
	n: number;
	id: string;
	ts: string;
	kind: string;
	subject: string;
	session_id: string | null;
	payload: string;
}

export function createEdgeJournalStore(query: Query) {
	async function head(edge: number): Promise<ChainHead | null> {
		const [last] =
			await query<ChainHead>`SELECT n, hash FROM edge_journal WHERE edge = ${edge} ORDER BY n DESC LIMIT 1`;
		return last ?? null;
	}

	return {
		head,
		/** Why the rows do not continue the journal, or null. Known rows are skipped. */
		async append(edge: number, lines: readonly JournalLine[]): Promise<string | null> {
			const last = await head(edge);
			const fresh = lines.filter(({ n }) => n > (last?.n ?? 0));
			const before: string[] = [];
			let previous = last?.hash ?? (fresh[0]?.n === 1 ? GENESIS : null);
			for (const line of fresh) {
				const why = whyBroken(previous, line);
				if (why !== null) return `row ${line.n} ${why}`;
				before.push(previous ?? '');
				previous = line.hash;
			}
			if (fresh.length === 0) return null;
			const all = (column: keyof JournalLine) => fresh.map((line) => line[column]);
			await query`INSERT INTO edge_journal
				(edge, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash) SELECT ${edge}, * FROM unnest(
				${all('n')}::bigint[], ${all('id')}::text[], ${all('ts')}::text[], ${all('kind')}::text[], ${all('subject')}::text[],
				${all('sessionId')}::text[], ${all('payload')}::text[], ${all('payloadHash')}::text[], ${all('signer')}::text[],
				${before}::text[], ${all('hash')}::text[]) ON CONFLICT DO NOTHING`;
			return null;
		},
		async rows(edge: number, ids: readonly string[]): Promise<ReadonlyMap<string, JournalRow>> {
			const found = await query<StoredRow>`SELECT n, id, ts, kind, subject, session_id, payload FROM edge_journal
				WHERE edge = ${edge} AND id = ANY (${ids.filter((id) => !id.includes('\0'))})`;
			return new Map(found.map((row) => [row.id, rowOf(row)]));
		},
		async histories(edge: number, subjects: readonly string[]): Promise<ReadonlyMap<string, JournalRow[]>> {
			if (subjects.length === 0) return new Map();
			const found = await query<StoredRow>`SELECT n, id, ts, kind, subject, session_id, payload FROM edge_journal
				WHERE edge = ${edge} AND subject = ANY (${subjects}) ORDER BY n`;
			const histories = new Map<string, JournalRow[]>(subjects.map((subject) => [subject, []]));
			for (const row of found) histories.get(row.subject)?.push(rowOf(row));
			return histories;
		},
	};
}

export type EdgeJournalStore = ReturnType<typeof createEdgeJournalStore>;

export function rowOf({ session_id, payload: sealed, kind, ...row }: StoredRow): JournalRow {
	const { payload, redacted } = openPayload(JSON.parse(sealed) as SealedPayload);
	const session = session_id !== null && { sessionId: session_id };
	return { ...row, kind: kind as JournalKind, payload, ...session, ...(redacted.length > 0 && { redacted }) };
}

function whyBroken(previous: string | null, line: JournalLine): string | null {
	const sealed = readSealed(line.payload);
	if (!sealed || payloadHash(sealed) !== line.payloadHash) return 'has another payload than its digest says';
	// If a journal does not begin with its first row, the row before is unknown.
	if (previous !== null && rowHash(previous, line) !== line.hash) return 'does not follow the row before';
	return null;
}

function readSealed(text: string): SealedPayload | null {
	const value = parsedObject(text);
	const isSealed = Object.values(value ?? {}).every((field) => {
		if (typeof field !== 'object' || field === null) return false;
		return 'digest' in field ? typeof field.digest === 'string' : 'salt' in field && typeof field.salt === 'string';
	});
	return value && isSealed ? (value as SealedPayload) : null;
}
