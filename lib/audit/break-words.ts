import type { JournalBreak } from '../contract/health/audit.ts';

/** A break of the journal in two sentences: `n` is the row from which it continues. */
export function breakWords(n: number, { reason, what, after, kept }: JournalBreak): string {
	const from = (after?.n ?? 0) + 1;
	const where = kept === null ? '' : ` in a new book; what was there is kept as ${kept}`;
	if (reason === 'key') return `The key that signed the journal ${what}: a new one signs from row ${n} on.`;
	if (reason === 'other') return `The journal is not the one that this home had: ${what}. It goes on with row ${n}.`;
	if (after === null && n === 1) return `The journal ${what}. What it held is lost; it begins again${where}.`;
	if (from === n) return `The journal ${what}. No row is lost; it goes on with row ${n}${where}.`;
	const lost = from === n - 1 ? `Row ${from} is lost` : `Rows ${from} to ${n - 1} are lost`;
	return `The journal ${what}. ${lost}, with whatever they let in or decided; it goes on with row ${n}${where}.`;
}
