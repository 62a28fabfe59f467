import { createHash } from 'node:crypto';
import Database from 'better-sqlite3';
import { type StoredRow, wrongWithRow } from '../audit/verify-journal.ts';
import type { AlarmBook } from './alarm-book.ts';

/** Rows that are read at one go: a few milliseconds, so that hooks are answered in between. */
const SLICE = 400;
/** Of each half of a row's print: enough to tell rows apart that nobody can choose freely. */
const PRINT_CHARS = 22;

const ROWS = `SELECT j.n, j.id, j.ts, j.kind, j.subject, j.session_id AS sessionId, j.payload_hash AS payloadHash,
	j.signer, j.hash, j.signature, p.body
	FROM journal j LEFT JOIN journal_payload p ON p.n = j.n WHERE j.n > ? ORDER BY j.n LIMIT ${SLICE}`;

const MINTED: Readonly<Record<string, string>> = {
	'link:mint': 'A sign-in link was made',
	'token:mint': 'An operator’s token was made',
	'passkey:enrol': 'A passkey was enrolled',
	'passkey:revoke': 'A passkey was taken away',
};

interface Wrong {
	n: number;
	what: string;
}

/** Looks whether the journal is what this server has seen of it; ends with `close`. */
export interface JournalLook {
	look(): Promise<void>;
	close(): void;
}

/**
 * Holds the journal against what was in it when the server started and what came since: a row that was changed, taken
 * out or put in by hand is an alarm, also where its chain was made to fit. New rows are verified, and those that let
 * somebody in are told. `audit verify` is what looks at the rows from before.
 */
export async function createJournalLook(path: string, alarms: AlarmBook): Promise<JournalLook> {
	const sqlite = new Database(path, { readonly: true, fileMustExist: true });
	const rowsAfter = sqlite.prepare<[number], StoredRow>(ROWS);
	const version = () => sqlite.pragma('data_version', { simple: true });
	/** Of each row, in order: row n has the one at n - 1. */
	const prints: string[] = [];

	const raise = ({ n, what }: Wrong) => {
		const message = `The journal is not what was written: row ${n}, ${what}`;
		alarms.raise({ code: 'journal/changed', about: path, message, fix: 'run `signalbox audit verify`', stands: true });
	};
	const wrongInChain = (row: StoredRow): string | null =>
		wrongWithRow(row, (row.n > 1 && rowsAfter.get(row.n - 2)) || null, sqlite);
	/** A row that was here before. A redaction changes its payload alone: the hash covers only digests of that. */
	const checkKnown = (row: StoredRow, at: number): string | null => {
		if (row.n !== at + 1) return `row ${at + 1} is missing`;
		const print = printOf(row);
		if (print === prints[at]) return null;
		const isSameRow = print.startsWith(prints[at]?.slice(0, PRINT_CHARS) ?? '');
		const what = wrongInChain(row) ?? (isSameRow ? null : 'it was replaced by another row');
		if (what === null) prints[at] = print;
		return what;
	};
	const checkNew = (row: StoredRow, at: number): string | null => {
		const what = row.n === at + 1 ? wrongInChain(row) : `row ${at + 1} is missing`;
		if (what !== null) return what;
		prints.push(printOf(row));
		tellMinted(row);
		return null;
	};
	const tellMinted = ({ n, kind, body }: StoredRow) => {
		const what = MINTED[kind];
		if (what === undefined || (kind === 'token:mint' && !body?.includes('"operator"'))) return;
		const message = `${what}. If it was not you, look at the access page`;
		alarms.raise({ code: 'access/minted', about: `row ${n}`, message });
	};
	/** Every row to `check`, in slices; the first that is wrong, else how many there are. */
	const walk = async (check: (row: StoredRow, at: number) => string | null): Promise<Wrong | number> => {
		for (let at = 0; ; ) {
			const rows = rowsAfter.all(at);
			for (const row of rows) {
				const what = check(row, at);
				if (what !== null) return { n: Math.min(row.n, at + 1), what };
				at += 1;
			}
			if (rows.length < SLICE) return at;
			await new Promise((resolve) => setImmediate(resolve));
		}
	};

	let seen = version();
	await walk((row) => {
		prints.push(printOf(row));
		return null;
	});
	return {
		async look() {
			const now = version();
			if (now === seen) return;
			seen = now;
			const known = prints.length;
			const found = await walk((row, at) => (at < prints.length ? checkKnown(row, at) : checkNew(row, at)));
			if (typeof found !== 'number') return raise(found);
			if (found < known) return raise({ n: found + 1, what: `rows ${found + 1} to ${known} are missing` });
			alarms.clear('journal/changed', path);
		},
		close: () => void sqlite.close(),
	};
}

/** What a row says in few bytes: the first half stands for the row itself, the second for its payload as it lies there. */
function printOf(row: StoredRow): string {
	const { n, id, ts, kind, subject, sessionId, payloadHash, signer, hash, signature, body } = row;
	const halves = [[n, id, ts, kind, subject, sessionId, payloadHash, signer, hash, signature], body];
	return halves.map((half) => digestOf(JSON.stringify(half)).slice(0, PRINT_CHARS)).join('');
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');
