import type { JournalBreak, JournalHead, PlacedHead } from '../contract/health/audit.ts';
import { countOf } from '../text/byte-size.ts';

/** What a look through the whole journal found. */
export interface AuditReport {
	/** How many rows are as they were written, from the first on. */
	rows: number;
	head: JournalHead | null;
	/** The first row that is not what was written. */
	bad: { n: number; what: string } | null;
	/** Rows of which fields were taken out. */
	redacted: number;
	/** Where the journal goes on after a loss, with row `n`, written at `ts` (ISO). */
	breaks: ({ n: number; ts: string } & JournalBreak)[];
	/** How many signatures were checked; each covers all rows before it. */
	signatures: number;
	/** The last head that somebody outside has and that fits. */
	anchored: PlacedHead | null;
	/** Rows since then; of these only this machine is witness. */
	unanchored: number;
}

/** The report in one line: ANCHORED, NOT ANCHORED or BROKEN. */
export function auditVerdict({ rows, bad, anchored, unanchored }: AuditReport): string {
	if (bad) return `BROKEN at row ${bad.n}: ${bad.what}`;
	if (!anchored) {
		const fit = rows === 1 ? '1 row is' : `${rows} rows are`;
		return `NOT ANCHORED: ${fit} as written, and nobody outside this machine can vouch for ${rows === 1 ? 'it' : 'them'}`;
	}
	const tail = unanchored === 0 ? 'no row is later' : `unanchored tail of ${countOf(unanchored, 'row')}`;
	return `ANCHORED at row ${anchored.n} (${anchored.place}, ${anchored.ts}); ${tail}`;
}
