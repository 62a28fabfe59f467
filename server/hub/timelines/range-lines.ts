import type { LineItem } from '#lib/ingest/fold-lines.ts';
import { foreignLineId, gapOf, type LineContext, readLine } from '../../timeline/tail/line-event.ts';
import { MAX_LINE_BYTES } from '../../timeline/tail/timeline-file.ts';

const NEWLINE = 10;

/** A part of an edge's timeline: whole lines, or one that is too long to be sent. */
export interface TimelineRange {
	/** Offsets in the edge's file. */
	from: number;
	to: number;
	/** The bytes between them; null where they are one line that is longer than any event. */
	bytes: Buffer | null;
}

/** The lines of a range, as the edge's own tail reads them (R63). */
export function readRange({ from, to, bytes }: TimelineRange, context: LineContext): LineItem[] {
	const { sessionId } = context;
	const tooLong = `a line of more than ${MAX_LINE_BYTES} bytes`;
	if (bytes === null) return [{ gap: gapOf(sessionId, { offset: from, bytes: to - from - 1, reason: tooLong }) }];
	const items: LineItem[] = [];
	let start = 0;
	for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, start)) {
		const line = bytes.subarray(start, end);
		const content = line.length > MAX_LINE_BYTES ? { kind: 'gap' as const, reason: tooLong } : readLine(line, context);
		if (content.kind === 'event') items.push(content);
		if (content.kind === 'gap') {
			items.push({ gap: gapOf(sessionId, { offset: from + start, bytes: line.length, reason: content.reason }) });
		}
		start = end + 1;
	}
	return items;
}

/** What is known of lines without an id; what is not is asked for, and the lines are read again. */
export interface ForeignNames {
	nameOf(line: Buffer): string;
	/** Ids that have to be asked for before the names are right. */
	readonly missing: readonly string[];
	/** How many there are of each, by the id of its first: right where nothing is missing. */
	readonly counts: ReadonlyMap<string, number>;
}

/**
 * Names lines by their number among those with the same bytes. `counts` are those counted before, `taken` says of asked ids
 * whether the store has them: the numbers have no holes.
 */
export function foreignNames(
	sessionId: string,
	counts: ReadonlyMap<string, number>,
	taken: ReadonlyMap<string, boolean>,
): ForeignNames {
	const now = new Map(counts);
	const missing: string[] = [];
	const firstFree = (line: Buffer): number => {
		for (let nth = 0; ; nth += 1) {
			const id = foreignLineId(sessionId, line, nth);
			const isTaken = taken.get(id);
			// Twice as many at each look: there may be thousands of one kind.
			for (let more = nth; isTaken === undefined && more <= 2 * nth; more += 1) {
				missing.push(foreignLineId(sessionId, line, more));
			}
			if (!isTaken) return nth;
		}
	};
	return {
		nameOf(line) {
			const first = foreignLineId(sessionId, line, 0);
			const nth = now.get(first) ?? firstFree(line);
			now.set(first, nth + 1);
			return nth === 0 ? first : foreignLineId(sessionId, line, nth);
		},
		missing,
		counts: now,
	};
}
