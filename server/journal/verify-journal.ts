import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { AuditReport } from '#lib/audit/audit-report.ts';
import { JournalBreak, type JournalHead, type PlacedHead } from '#lib/contract/health/audit.ts';
import { parsedJson } from '#lib/json/json.ts';
import { isDatabaseFailure } from '../process/failure-words.ts';
import {
	type ChainedRow,
	GENESIS,
	openPayload,
	payloadHash,
	rowHash,
	type SealedPayload,
} from '../timeline/store/journal-chain.ts';
import { journalFailure, openJournalFile, refuseNewerJournal } from '../timeline/store/journal-failure.ts';
import { signerName } from '../timeline/store/journal-signer.ts';
import type { Database } from '../timeline/store/open-database.ts';

export interface StoredRow extends ChainedRow {
	hash: string | null;
	signature: string | null;
	body: string | null;
}

/** Rows with their payloads. They are found by their numbers alone: an index may be damaged while the rows are not. */
export const ROWS = `SELECT j.n, j.id, j.ts, j.kind, j.subject, j.session_id AS sessionId, j.payload_hash AS payloadHash,
	j.signer, j.hash, j.signature, p.body
	FROM journal j LEFT JOIN journal_payload p ON p.n = j.n`;

const NEWEST_ROWS = 1000;

interface Rules {
	keys: Map<string, string>;
	isRedactionRecorded: (n: number) => boolean;
	isSignatureChecked: (n: number) => boolean;
}

interface Walk {
	last: StoredRow | null;
	redacted: number;
	signatures: number;
	rows: number;
	breaks: AuditReport['breaks'];
}

const walkFrom = (last: StoredRow | null): Walk => ({ last, redacted: 0, signatures: 0, rows: 0, breaks: [] });

/**
 * Reads the whole journal and names the first wrong row: changed, missing, out of order, or not signed. A signature covers
 * everything before it, so only those of the newest 1,000 rows, `placed` heads and each signer's last row are checked, unless
 * `everySignature`. Throws JournalFailure.
 */
export function verifyJournal(
	path: string,
	placed: readonly PlacedHead[] = [],
	{ everySignature = false }: { everySignature?: boolean } = {},
): AuditReport {
	const sqlite = openJournalFile(path);
	try {
		refuseNewerJournal(sqlite);
		const hashes = new Map<number, string>(placed.map(({ n }) => [n, '']));
		const newest = sqlite.prepare<[], { n: number | null }>('SELECT max(n) AS n FROM journal').get()?.n ?? 0;
		const rules: Rules = {
			keys: readKeys(sqlite),
			isRedactionRecorded: redactionsOf(sqlite),
			isSignatureChecked: (n) => everySignature || n > newest - NEWEST_ROWS || hashes.has(n),
		};
		const walk = walkFrom(null);
		const anchoredAt = placed.reduce((newest, { n }) => Math.max(newest, n), 0);
		let unanchored = 0;
		let bad: AuditReport['bad'] = null;
		for (const row of sqlite.prepare<[], StoredRow>(`${ROWS} ORDER BY j.n`).iterate()) {
			bad = wrongWith(row, walk, rules);
			if (bad !== null) break;
			walk.last = row;
			walk.rows += 1;
			if (row.n > anchoredAt) unanchored += 1;
			if (hashes.has(row.n)) hashes.set(row.n, row.hash ?? '');
		}
		bad ??= contradictedHead(placed, hashes, walk);
		const head: JournalHead | null = walk.last && { n: walk.last.n, hash: walk.last.hash ?? '' };
		const anchored = bad ? null : (placed.toSorted((a, b) => a.n - b.n).at(-1) ?? null);
		const { rows, redacted, signatures, breaks } = walk;
		return { rows, head, bad, redacted, signatures, breaks, anchored, unanchored: anchored ? unanchored : rows };
	} catch (error) {
		throw journalFailure(path, error);
	} finally {
		sqlite.close();
	}
}

/** The first row that contradicts an anchored head, except rows recorded as lost. */
function contradictedHead(placed: readonly PlacedHead[], hashes: Map<number, string>, walk: Walk): AuditReport['bad'] {
	const last = walk.last?.n ?? 0;
	for (const { n, hash, place } of placed.toSorted((a, b) => a.n - b.n)) {
		if (n > last) return { n: last + 1, what: `the journal ends before row ${n}, which ${place} knows` };
		if (walk.breaks.some(({ n: next, after }) => n < next && n > (after?.n ?? 0))) continue;
		if (hashes.get(n) !== hash)
			return { n, what: `the journal was rewritten up to here: ${place} knows another row ${n}` };
	}
	return null;
}

function readKeys(sqlite: Database): Map<string, string> {
	const rows = sqlite.prepare<[], { name: string; publicKey: string }>(
		'SELECT name, public_key AS publicKey FROM journal_key',
	);
	return new Map(
		rows.all().flatMap(({ name, publicKey }) => (signerName(publicKey) === name ? [[name, publicKey]] : [])),
	);
}

/** Returns what is wrong with a row after `last`. Without `everySignature` only changes of the signer are checked. */
export function createRowCheck(
	sqlite: Database,
	everySignature: boolean,
): (row: StoredRow, last: StoredRow | null) => AuditReport['bad'] {
	const isRedactionRecorded = redactionsOf(sqlite);
	const rules: Rules = { keys: readKeys(sqlite), isRedactionRecorded, isSignatureChecked: () => everySignature };
	return (row, last) => wrongWith(row, walkFrom(last), rules);
}

function wrongWith(row: StoredRow, walk: Walk, rules: Rules): AuditReport['bad'] {
	const { last } = walk;
	const expected = (last?.n ?? 0) + 1;
	const recordedBreak = breakOf(row, last);
	if (recordedBreak) walk.breaks.push(recordedBreak);
	if (row.n !== expected && !recordedBreak) return { n: Math.min(row.n, expected), what: `row ${expected} is missing` };
	if (last && last.signer !== row.signer && !rules.isSignatureChecked(last.n)) {
		const what = wrongSignature(last, walk, rules);
		if (what !== null) return { n: last.n, what };
	}
	const what = wrongInside(row, walk, rules);
	return what === null ? null : { n: row.n, what };
}

/** The loss before a row, as the row records it. */
function breakOf({ n, ts, kind, body }: StoredRow, last: StoredRow | null): AuditReport['breaks'][number] | null {
	const sealed = kind === 'journal:follow' && parseBody(body);
	const recordedBreak = sealed ? JournalBreak.safeParse(openPayload(sealed).payload) : undefined;
	if (!recordedBreak?.success || n <= (last?.n ?? 0)) return null;
	return (recordedBreak.data.after?.n ?? 0) === (last?.n ?? 0) ? { n, ts, ...recordedBreak.data } : null;
}

function wrongInside(row: StoredRow, walk: Walk, rules: Rules): string | null {
	if (row.hash === null || row.signature === null || row.signer === null) return 'the row has no place in the chain';
	if (rowHash(walk.last?.hash ?? GENESIS, row) !== row.hash) return 'the row is not what was written';
	if (!rules.keys.has(row.signer)) return 'the row is signed by a key that is not here';
	if (rules.isSignatureChecked(row.n)) {
		const what = wrongSignature(row, walk, rules);
		if (what !== null) return what;
	}
	const body = parseBody(row.body);
	if (body === null || payloadHash(body) !== row.payloadHash) return 'the payload of the row is not what was written';
	if (!isRedacted(body)) return null;
	if (!rules.isRedactionRecorded(row.n)) return 'fields were taken out, and no row says by whom';
	walk.redacted += 1;
	return null;
}

function wrongSignature({ hash, signer, signature }: StoredRow, walk: Walk, { keys }: Rules): string | null {
	walk.signatures += 1;
	const isRight = isSigned(hash ?? '', keys.get(signer) ?? '', signature ?? '');
	return isRight ? null : 'the signature of the row does not fit';
}

const isRedacted = (body: SealedPayload): boolean => {
	for (const name in body) if ('digest' in (body[name] ?? {})) return true;
	return false;
};

let lastKey: { text: string; key: KeyObject } | undefined;

/** Parsing a key costs as much as a signature, and nearly all rows have one signer. */
function keyOf(text: string): KeyObject {
	if (lastKey?.text !== text) lastKey = { text, key: createPublicKey(text) };
	return lastKey.key;
}

function isSigned(hash: string, publicKey: string, signature: string): boolean {
	const bytes = Buffer.from(signature, 'base64');
	// A tolerant parser accepts several spellings of one signature: a changed character must not pass.
	if (bytes.toString('base64') !== signature) return false;
	return verify(null, Buffer.from(hash, 'hex'), keyOf(publicKey), bytes);
}

function parseBody(text: string | null): SealedPayload | null {
	const body = parsedJson(text ?? '');
	const isSealed = (field: unknown) =>
		typeof field === 'object' && field !== null && ('salt' in field || 'digest' in field);
	if (typeof body !== 'object' || body === null || !Object.values(body).every(isSealed)) return null;
	return body as SealedPayload;
}

/** The first rows that fit the chain. `keys` (PEM by name) may have signed them, beside those of the file. */
export function* provenRows(sqlite: Database, keys: ReadonlyMap<string, string>): Generator<StoredRow> {
	const rules: Rules = {
		keys: new Map([...keys, ...readable(() => [...readKeys(sqlite)], [])]),
		// `verifyJournal` checks redactions; the row's hash covers them.
		isRedactionRecorded: () => true,
		isSignatureChecked: () => false,
	};
	let last: StoredRow | null = null;
	const rows = readable(() => sqlite.prepare<[], StoredRow>(`${ROWS} ORDER BY j.n`).iterate(), [][Symbol.iterator]());
	try {
		for (;;) {
			const next = readable(() => rows.next(), { done: true as const, value: undefined });
			const row: StoredRow | undefined = next.done ? undefined : next.value;
			if (!row || wrongWith(row, walkFrom(last), rules) !== null) return;
			yield row;
			last = row;
		}
	} finally {
		rows.return?.();
	}
}

export function isVouchedFor(row: StoredRow, before: StoredRow, keys: ReadonlyMap<string, string>): boolean {
	const rules = { keys: new Map(keys), isRedactionRecorded: () => true, isSignatureChecked: () => true };
	return wrongWith(row, walkFrom(before), rules) === null;
}

function readable<T>(read: () => T, nothing: T): T {
	try {
		return read();
	} catch (error) {
		if (isDatabaseFailure(error)) return nothing;
		throw error;
	}
}

function redactionsOf(sqlite: Database): (n: number) => boolean {
	const redaction = sqlite.prepare("SELECT 1 FROM journal WHERE kind = 'journal:redact' AND subject = ? AND n > ?");
	return (n) => redaction.get(`row:${n}`, n) !== undefined;
}
