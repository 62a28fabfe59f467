import type { JournalBreak, JournalHead, PlacedHead } from '../contract/health/audit.ts';
import { countOf } from '../text/byte-size.ts';

/** The result of checking the whole journal. */
export interface AuditReport {
	/** How many rows are unchanged, from the first on. */
	rows: number;
	head: JournalHead | null;
	/** The first changed row. */
	bad: { n: number; what: string } | null;
	/** Rows with removed fields. */
	redacted: number;
	/** Where the journal continues after a loss, with row `n`, written at `ts` (ISO). */
	breaks: ({ n: number; ts: string } & JournalBreak)[];
	/** How many signatures were checked; each covers all rows before it. */
	signatures: number;
	/** The last matching head at an anchor. */
	anchored: PlacedHead | null;
	/** Rows since then, for which there is only this machine's word. */
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
