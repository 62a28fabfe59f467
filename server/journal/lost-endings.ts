import { openPayload, type SealedPayload } from '../timeline/store/journal-chain.ts';
import type { JournalDraft, JournalKind } from '../timeline/store/journal-store.ts';
import type { Database } from '../timeline/store/open-database.ts';
import { all } from './replace-journal.ts';
import { isVouchedFor, type StoredRow } from './verify-journal.ts';

/** What takes something away for good: a sign-in, token or passkey that was removed must not come back by damage. */
const ENDINGS: readonly JournalKind[] = [
	'link:use',
	'login:close',
	'token:revoke',
	'passkey:revoke',
	'grant:use',
	'grant:revoke',
	'grant:expire',
];

const COLUMNS =
	'n, id, ts, kind, subject, session_id AS sessionId, payload_hash AS payloadHash, signer, hash, signature, NULL AS body';

/** Rows behind the damage that end something, oldest first: each readable in itself, chained to its neighbour and signed by `keys`. */
export function lostEndings(
	former: Database,
	after: number,
	keys: ReadonlyMap<string, string>,
): (JournalDraft & { ts: string })[] {
	const found = new Map<number, StoredRow>();
	// From both ends: what lies between the first and the last damaged page stays lost.
	for (const order of ['ASC', 'DESC']) {
		const question = `SELECT ${COLUMNS} FROM journal WHERE n > ${after} ORDER BY n ${order}`;
		for (const row of all<StoredRow>(former, question)) found.set(row.n, row);
	}
	const ends = [...found.values()].filter(({ kind }) => ENDINGS.some((one) => one === kind));
	return ends
		.sort((left, right) => left.n - right.n)
		.flatMap((row) => {
			const [payloadRow] = all<{ body: string }>(former, `SELECT body FROM journal_payload WHERE n = ${row.n}`);
			const whole = { ...row, body: payloadRow?.body ?? null };
			const before = found.get(row.n - 1);
			if (whole.body === null || !before || !isVouchedFor(whole, before, keys)) return [];
			const { id, ts, kind, subject, sessionId } = row;
			const { payload } = openPayload(JSON.parse(whole.body) as SealedPayload);
			return [{ id, ts, kind: kind as JournalKind, subject, payload, ...(sessionId !== null && { sessionId }) }];
		});
}
