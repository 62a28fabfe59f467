import { breakWords } from '#lib/audit/audit-report.ts';
import { JournalBreak } from '#lib/contract/health/audit.ts';
import type { Plain } from '#lib/messages/say.ts';
import { sentence, type Words } from '#lib/messages/sentence.ts';
import { reasonOf } from '../../process/failure-words.ts';
import { HOW_TO_REPAIR, HOW_TO_RESTORE, isDamagedFile } from '../../timeline/store/journal-failure.ts';
import { holdJournalFiles, markOf } from '../../timeline/store/journal-files.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { openDatabase } from '../../timeline/store/open-database.ts';
import { createRowCheck, ROWS, type StoredRow } from '../verify-journal.ts';
import type { IncidentLog } from './incident-log.ts';

/** Rows read at once: a few milliseconds, so that hooks are answered in between. */
const SLICE = 400;

const BETWEEN = `${ROWS} WHERE j.n >= ? AND j.n <= ? ORDER BY j.n LIMIT ${SLICE + 1}`;
const NEWEST_ROW = 'SELECT n, hash FROM journal ORDER BY n DESC LIMIT 1';

const MINTED = new Map<string, Minted>([
	['link:mint', 'A sign-in link was made. If it was not you, look at the access page'],
	['token:mint', 'An operator’s token was made. If it was not you, look at the access page'],
	['passkey:enrol', 'A passkey was enrolled. If it was not you, look at the access page'],
	['passkey:revoke', 'A passkey was taken away. If it was not you, look at the access page'],
]);

type Minted = Extract<Plain, `${string}. If it was not you, look at the access page`>;

interface Wrong {
	n: number;
	what: Words;
}

/**
 * Watches the journal by the hash of its newest seen row, which covers all before it: a changed, removed or inserted row is an
 * incident even if the chain fits. A check after a write verifies new rows, the newest 400 again, and 400 older ones until all
 * are done; it also reports rows that let somebody in. While the file cannot be read, no row is accepted.
 */
export function createJournalCheck(
	path: string,
	incidents: IncidentLog,
	journal: Pick<JournalStore, 'distrust' | 'distrusted'>,
) {
	const sqlite = openDatabase(path, { readonly: true, fileMustExist: true });
	const rowsBetween = sqlite.prepare<[number, number], StoredRow>(BETWEEN);
	const newest = sqlite.prepare<[], { n: number; hash: string | null }>(NEWEST_ROW);
	const hashAt = sqlite.prepare<[number], { hash: string | null }>('SELECT hash FROM journal WHERE n = ?');
	const version = () => sqlite.pragma('data_version', { simple: true });
	const whatBecame = holdJournalFiles(path);
	let isAway = false;
	let rowsRead = 0;

	const reportMinted = ({ n, kind, body, ts }: StoredRow) => {
		const minted = MINTED.get(kind);
		if (minted === undefined || (kind === 'token:mint' && !body?.includes('"operator"'))) return;
		const message = sentence(minted);
		incidents.raise({ code: 'access/minted', about: `row ${n}`, message, happenedAt: ts });
	};
	/** Checks up to 400 rows after row `after` against their predecessors: returns the first wrong one, else the last row. */
	const checkSlice = (after: number, upTo: number, each?: (row: StoredRow) => void): Wrong | number => {
		const rows = rowsBetween.all(after, upTo);
		rowsRead += rows.length;
		let last = (after > 0 && rows.shift()) || null;
		if (after > 0 && last?.n !== after) return { n: after, what: sentence('row {nth} is missing', { nth: after }) };
		const check = createRowCheck(sqlite, each !== undefined);
		for (const row of rows) {
			const wrong = check(row, last);
			if (wrong !== null) return wrong;
			each?.(row);
			last = row;
		}
		return last?.n ?? 0;
	};

	let mark = markOf(path);
	let seen: unknown = version();
	let head = newest.get() ?? { n: 0, hash: null };
	/** Progress of the check through older rows, and how many are left. */
	let pass = 0;
	let due = head.n;
	let isWrong = false;

	const checkHead = (): Wrong | null => {
		if (head.n === 0) return null;
		const found = hashAt.get(head.n);
		if (found) return found.hash === head.hash ? null : { n: head.n, what: sentence('it was replaced by another row') };
		const n = (newest.get()?.n ?? 0) + 1;
		return n > head.n
			? { n: head.n, what: sentence('row {nth} is missing', { nth: head.n }) }
			: { n, what: sentence('rows {nth} to {max} are missing', { nth: n, max: head.n }) };
	};
	const checkNew = async (): Promise<Wrong | null> => {
		for (;;) {
			const before = head.n;
			const found = checkSlice(before, Number.MAX_SAFE_INTEGER, (row) => {
				head = { n: row.n, hash: row.hash };
				reportMinted(row);
			});
			if (typeof found !== 'number') return found;
			if (found - before < SLICE) return null;
			await new Promise((resolve) => setImmediate(resolve));
		}
	};
	const checkNewest = (): Wrong | null => {
		const after = Math.max(0, head.n - SLICE);
		const found = checkSlice(after, head.n);
		due = after === 0 ? 0 : head.n;
		return typeof found === 'number' ? null : found;
	};
	const checkOlder = (): Wrong | null => {
		if (due <= 0) return null;
		if (pass >= head.n) pass = 0;
		const found = checkSlice(pass, head.n);
		if (typeof found !== 'number') return found;
		due -= found - pass;
		pass = found;
		return null;
	};

	const reportAway = (what: string) => {
		isAway = true;
		const message = sentence('The journal is not where it was: {why}. Nothing can be decided, and denials stand', {
			why: what,
		});
		incidents.raise({ code: 'journal/changed', about: path, message, fix: HOW_TO_RESTORE, isOpen: true });
	};
	/** An earlier fault is found again. */
	const endAway = () => {
		isAway = false;
		incidents.clear('journal/changed', path);
		seen = undefined;
	};

	/** The connection's cached pages would hide that the file was changed. */
	const forgetPages = () => {
		mark = markOf(path);
		sqlite.pragma('shrink_memory');
		seen = undefined;
	};
	const reportDamage = (reason: string) => {
		const message = sentence('The journal cannot be read: {why}. Nothing can be decided, and denials stand', {
			why: reason,
		});
		incidents.raise({ code: 'journal/changed', about: path, message, fix: HOW_TO_REPAIR, isOpen: true });
	};
	const checkRows = async () => {
		const now = version();
		const isWritten = now !== seen;
		// A fault stays until somebody writes.
		if (!isWritten && (due <= 0 || isWrong)) return;
		seen = now;
		const wrong = (isWritten ? (checkHead() ?? (await checkNew()) ?? checkNewest()) : null) ?? checkOlder();
		isWrong = wrong !== null;
		if (wrong === null) return incidents.clear('journal/changed', path);
		// The check continues once this row is right again.
		pass = Math.max(0, Math.min(wrong.n - 1, head.n));
		const filling = { nth: wrong.n, why: wrong.what };
		const message = sentence('The journal is not what was written: row {nth}, {why}', filling);
		incidents.raise({
			code: 'journal/changed',
			about: path,
			message,
			fix: sentence('run {command}', { command: '`signalbox audit verify`' }),
			isOpen: true,
		});
	};

	return {
		async check() {
			const damage = journal.distrusted();
			if (damage !== null) return reportDamage(damage);
			const what = whatBecame();
			if (what !== null) return reportAway(what);
			if (isAway) endAway();
			if (markOf(path) !== mark) forgetPages();
			try {
				await checkRows();
			} catch (error) {
				if (!isDamagedFile(error)) throw error;
				journal.distrust(reasonOf(error));
				reportDamage(reasonOf(error));
			}
		},
		/** Number of rows read, to measure the cost of a check. */
		get rowsRead() {
			return rowsRead;
		},
		close: () => void sqlite.close(),
	};
}

/** How long every page shows a break, also after a restart, so that somebody sees it. */
const SHOWN_FOR_MS = 24 * 3_600_000;
const MAX_FOLLOWED = 10;

/** Raises an incident for each place of the last day where the journal continued after a loss. */
export function reportBreaks(journal: Pick<JournalStore, 'byKind'>, incidents: IncidentLog): void {
	const rows = journal.byKind(['journal:follow'], { sinceMs: Date.now() - SHOWN_FOR_MS, limit: MAX_FOLLOWED });
	for (const { n, payload } of rows) {
		const journalBreak = JournalBreak.safeParse(payload);
		if (!journalBreak.success) continue;
		incidents.raise({
			code: 'journal/changed',
			about: `row ${n}`,
			message: breakWords(n, journalBreak.data),
			fix: sentence(
				'find out what happened to the disk, or who did it; sign in again where needed. It is shown for a day',
			),
			isOpen: true,
		});
	}
}
