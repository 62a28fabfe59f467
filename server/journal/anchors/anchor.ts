import type { JournalHead } from '#lib/contract/health/audit.ts';

/** A place outside this machine's reach that keeps heads of the journal. */
export interface Anchor {
	/** What a person calls it. */
	place: string;
	/** Not oftener than this, in milliseconds, of itself. */
	everyMs?: number;
	/** What a person has to know of this kind before they rely on it. */
	caveat?: string;
	/** Resolves when the head is out there. Throws an Error whose words hold no address. */
	put(head: JournalHead, ts: string, signal: AbortSignal): Promise<void>;
	/**
	 * The heads that the place has, in any order; what cannot be read as one is left out. `tell` gets a sentence of each
	 * proof that was kept and does not hold.
	 */
	list(signal: AbortSignal, tell: (problem: string) => void): Promise<(JournalHead & { ts: string })[]>;
}

/** One head as a line of text, the same for every kind of place. */
export function headLine({ n, hash }: JournalHead, ts: string): string {
	return `signalbox ${n} ${hash} ${ts}`;
}

/** Every head in a text; other lines are somebody else's. */
export function parseHeads(text: string): (JournalHead & { ts: string })[] {
	const lines = text.matchAll(/^signalbox (\d{1,15}) ([0-9a-f]{64}) (\d{4}-[\d:.TZ-]{1,30})$/gm);
	return Array.from(lines, ([, n, hash = '', ts = '']) => ({ n: Number(n), hash, ts }));
}
