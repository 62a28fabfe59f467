import { randomUUID } from 'node:crypto';
import { openPayload, type SealedPayload } from '../timeline/store/journal-chain.ts';
import {
	JournalFailure,
	journalFailure,
	openJournalFile,
	refuseNewerJournal,
} from '../timeline/store/journal-failure.ts';
import type { JournalRow } from '../timeline/store/journal-store.ts';
import { openJournalWriter } from '../timeline/store/journal-writer.ts';

interface ExportRow {
	n: number;
	ts: string;
	kind: string;
	subject: string;
	sessionId: string | null;
	hash: string;
	signature: string;
	body: string;
}

const COLUMNS = ['n', 'ts', 'kind', 'subject', 'sessionId', 'payload', 'redacted', 'hash', 'signature'] as const;

/** Every row of the journal for an auditor, oldest first: as JSON, one a line, or as CSV with a head line. Throws JournalFailure. */
export function* exportJournal(path: string, format: 'json' | 'csv'): Generator<string> {
	const sqlite = openJournalFile(path);
	try {
		refuseNewerJournal(sqlite);
		if (format === 'csv') yield COLUMNS.join(',');
		const rows = sqlite.prepare<[], ExportRow>(
			`SELECT j.n, j.ts, j.kind, j.subject, j.session_id AS sessionId, j.hash, j.signature, p.body
			FROM journal j JOIN journal_payload p ON p.n = j.n ORDER BY j.n`,
		);
		for (const { body, ...row } of rows.iterate()) {
			const { payload, redacted } = openPayload(bodyOf(path, row.n, body));
			const whole = { ...row, payload, redacted };
			yield format === 'json' ? JSON.stringify(whole) : COLUMNS.map((name) => cell(whole[name])).join(',');
		}
	} catch (error) {
		throw journalFailure(path, error);
	} finally {
		sqlite.close();
	}
}

function bodyOf(path: string, n: number, body: string): SealedPayload {
	try {
		return JSON.parse(body) as SealedPayload;
	} catch (error) {
		throw new JournalFailure(path, `the payload of row ${n} is damaged`, { cause: error });
	}
}

/** Spreadsheets treat text that begins with =, +, - or @ as a formula. */
function cell(value: unknown): string {
	const text = typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
	const tame = /^[=+\-@\t\r]/.test(text) && typeof value !== 'number' ? `'${text}` : text;
	return /[",\r\n]/.test(tame) ? `"${tame.replaceAll('"', '""')}"` : tame;
}

/** Removes fields of a row's payload for good, recorded by a row of its own. Null: the row has none of these fields. */
export function redactRow(
	path: string,
	{ n, fields, reason }: { n: number; fields: readonly string[]; reason: string },
): JournalRow | null {
	const writer = openJournalWriter(path);
	try {
		const payload = { fields, reason, by: { via: 'command' } };
		return writer.redact({ id: randomUUID(), kind: 'journal:redact', subject: `row:${n}`, payload }, n, fields);
	} finally {
		writer.close();
	}
}
