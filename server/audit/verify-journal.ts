import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import Database from 'better-sqlite3';
import type { AuditReport } from '#lib/audit/audit-report.ts';
import type { JournalHead, PlacedHead } from '#lib/contract/audit.ts';
import {
	type ChainedRow,
	GENESIS,
	openPayload,
	payloadHash,
	rowHash,
	type SealedPayload,
} from '../store/journal-chain.ts';
import { signerName } from '../store/journal-signer.ts';

interface StoredRow extends ChainedRow {
	hash: string | null;
	signature: string | null;
	body: string | null;
}

const ROWS = `SELECT j.n, j.id, j.ts, j.kind, j.subject, j.session_id AS sessionId, j.payload_hash AS payloadHash,
	j.signer, j.hash, j.signature, p.body
	FROM journal j LEFT JOIN journal_payload p ON p.n = j.n ORDER BY j.n`;

/**
 * Reads the whole journal, the server running or not, and names the first row that is not what was written: changed,
 * missing, out of order, with another payload, or not signed. `placed` are heads that were left outside the machine:
 * nothing before the last of them can have been rewritten, of what follows only the machine itself is witness.
 */
export function verifyJournal(path: string, placed: readonly PlacedHead[] = []): AuditReport {
	const sqlite = new Database(path, { readonly: true, fileMustExist: true });
	try {
		const keys = readKeys(sqlite);
		const walk = { previous: GENESIS, n: 0, redacted: 0 };
		const hashes = new Map<number, string>(placed.map(({ n }) => [n, '']));
		let bad: AuditReport['bad'] = null;
		for (const row of sqlite.prepare<[], StoredRow>(ROWS).iterate()) {
			const what = wrongWith(row, walk, keys, sqlite);
			if (what !== null) {
				// A row that is missing is named itself, not the one that stands after the hole.
				bad = { n: Math.min(row.n, walk.n + 1), what };
				break;
			}
			walk.previous = row.hash ?? '';
			walk.n = row.n;
			if (hashes.has(row.n)) hashes.set(row.n, walk.previous);
		}
		bad ??= outsideSays(placed, hashes, walk.n);
		const head: JournalHead | null = walk.n === 0 ? null : { n: walk.n, hash: walk.previous };
		const anchored = bad ? null : (placed.toSorted((a, b) => a.n - b.n).at(-1) ?? null);
		return { rows: walk.n, head, bad, redacted: walk.redacted, anchored, unanchored: walk.n - (anchored?.n ?? 0) };
	} finally {
		sqlite.close();
	}
}

/** The first row that an outside head does not know as it is. */
function outsideSays(placed: readonly PlacedHead[], hashes: Map<number, string>, last: number): AuditReport['bad'] {
	for (const { n, hash, place } of placed.toSorted((a, b) => a.n - b.n)) {
		if (n > last) return { n: last + 1, what: `the journal ends before row ${n}, which ${place} knows` };
		if (hashes.get(n) !== hash)
			return { n, what: `the journal was rewritten up to here: ${place} knows another row ${n}` };
	}
	return null;
}

function readKeys(sqlite: Database.Database): Map<string, string> {
	const rows = sqlite.prepare<[], { name: string; publicKey: string }>(
		'SELECT name, public_key AS publicKey FROM journal_key',
	);
	return new Map(
		rows.all().flatMap(({ name, publicKey }) => (signerName(publicKey) === name ? [[name, publicKey]] : [])),
	);
}

function wrongWith(
	row: StoredRow,
	walk: { previous: string; n: number; redacted: number },
	keys: Map<string, string>,
	sqlite: Database.Database,
): string | null {
	if (row.n !== walk.n + 1) return `row ${walk.n + 1} is missing`;
	if (row.hash === null || row.signature === null || row.signer === null) return 'the row has no place in the chain';
	if (rowHash(walk.previous, row) !== row.hash) return 'the row is not what was written';
	const key = keys.get(row.signer);
	if (key === undefined) return 'the row is signed by a key that is not here';
	if (!isSigned(row.hash, key, row.signature)) return 'the signature of the row does not fit';
	const body = parseBody(row.body);
	if (body === null || payloadHash(body) !== row.payloadHash) return 'the payload of the row is not what was written';
	const { redacted } = openPayload(body);
	if (redacted.length > 0 && !isRedactionTold(sqlite, row.n)) return 'fields were taken out, and no row says by whom';
	walk.redacted += redacted.length > 0 ? 1 : 0;
	return null;
}

let lastKey: { text: string; key: KeyObject } | undefined;

/** Nearly all rows have one signer, and reading its key costs as much as a signature. */
function keyOf(text: string): KeyObject {
	if (lastKey?.text !== text) lastKey = { text, key: createPublicKey(text) };
	return lastKey.key;
}

function isSigned(hash: string, publicKey: string, signature: string): boolean {
	const bytes = Buffer.from(signature, 'base64');
	// A tolerant reader takes several spellings of one signature: a changed character must not pass as the same.
	if (bytes.toString('base64') !== signature) return false;
	return verify(null, Buffer.from(hash, 'hex'), keyOf(publicKey), bytes);
}

function parseBody(text: string | null): SealedPayload | null {
	try {
		const body: unknown = JSON.parse(text ?? '');
		const isSealed = (field: unknown) =>
			typeof field === 'object' && field !== null && ('salt' in field || 'digest' in field);
		if (typeof body !== 'object' || body === null || !Object.values(body).every(isSealed)) return null;
		return body as SealedPayload;
	} catch {
		return null;
	}
}

function isRedactionTold(sqlite: Database.Database, n: number): boolean {
	const told = sqlite.prepare("SELECT 1 FROM journal WHERE kind = 'journal:redact' AND subject = ? AND n > ?");
	return told.get(`row:${n}`, n) !== undefined;
}
