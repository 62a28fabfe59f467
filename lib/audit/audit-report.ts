import type { JournalBreak, JournalHead, PlacedHead } from '../contract/health/audit.ts';
import { countOf } from '../text/byte-size.ts';

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
		const rowsAre = rows === 1 ? '1 row is' : `${rows} rows are`;
		return `NOT ANCHORED: ${rowsAre} as written, and nobody outside this machine can vouch for ${rows === 1 ? 'it' : 'them'}`;
	}
	const tail = unanchored === 0 ? 'no row is later' : `unanchored tail of ${countOf(unanchored, 'row')}`;
	return `ANCHORED at row ${anchored.n} (${anchored.place}, ${anchored.ts}); ${tail}`;
}

/** A break of the journal in two sentences: `n` is the row from which it continues. */
export function breakWords(n: number, { reason, what, after, kept }: JournalBreak): string {
	const firstLost = (after?.n ?? 0) + 1;
	const inNewFile = kept === null ? '' : ` in a new book; what was there is kept as ${kept}`;
	if (reason === 'key') return `The key that signed the journal ${what}: a new one signs from row ${n} on.`;
	if (reason === 'other') return `The journal is not the one that this home had: ${what}. It goes on with row ${n}.`;
	if (after === null && n === 1) return `The journal ${what}. What it held is lost; it begins again${inNewFile}.`;
	if (firstLost === n) return `The journal ${what}. No row is lost; it goes on with row ${n}${inNewFile}.`;
	const lost = firstLost === n - 1 ? `Row ${firstLost} is lost` : `Rows ${firstLost} to ${n - 1} are lost`;
	return `The journal ${what}. ${lost}, with whatever they let in or decided; it goes on with row ${n}${inNewFile}.`;
}
