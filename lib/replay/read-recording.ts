import type { Part } from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { foldPart, PART_EVENTS } from './fold-part.ts';

/** A wound recording, from which any part is read by its number, from 0. */
export interface Recording {
	/** Of its last event; parts follow each other without holes. */
	events: number;
	part(place: number): Part;
	/** Rows that began in part `born`, as they stood behind each part up to `last` that changed some, ascending. */
	rowsBorn(born: number, last: number): Iterable<readonly Row[]>;
}

/** The part from which the state after the event `seq` is folded. */
export function partOf({ events }: Pick<Recording, 'events'>, seq: number): number {
	return Math.min(Math.max(0, Math.ceil(events / PART_EVENTS) - 1), Math.floor(Math.max(0, seq) / PART_EVENTS));
}

/** The part in which the event `seq` lies, counted from 1. */
export const bornIn = (seq: number) => Math.floor((seq - 1) / PART_EVENTS);

/**
 * Rows as they stood after the event `seq`, ascending: by default the newest `limit`; `before` and `after` are a row's
 * seq, exclusive.
 */
export function readRows(
	recording: Recording,
	seq: number,
	range: { before?: number | undefined; after?: number | undefined; limit: number },
): Row[] {
	const { after = 0, limit } = range;
	const before = Math.min(range.before ?? Number.POSITIVE_INFINITY, seq + 1);
	const place = partOf(recording, seq);
	const { changed } = foldPart(recording.part(place), seq);
	const [first, last] = [bornIn(after + 1), bornIn(before - 1)];
	const found: Row[][] = [];
	let count = 0;
	const isUpward = range.after !== undefined;
	for (let born = isUpward ? first : last; born >= first && born <= last && count < limit; born += isUpward ? 1 : -1) {
		const rows = new Map<string, Row>();
		for (const each of recording.rowsBorn(born, place - 1)) for (const row of each) rows.set(row.key, row);
		for (const row of changed.values()) if (bornIn(row.seq) === born) rows.set(row.key, row);
		const fitting = [...rows.values()].filter((row) => row.seq > after && row.seq < before);
		found.push(fitting.sort((a, b) => a.seq - b.seq));
		count += fitting.length;
	}
	return isUpward ? found.flat().slice(0, limit) : found.reverse().flat().slice(-limit);
}

/** The events after a seq, ascending. */
export function readEvents({ events, part }: Recording, after: number, limit: number): IndexedEvent[] {
	const found: IndexedEvent[] = [];
	for (let seq = after + 1; seq <= events && found.length < limit; ) {
		const { after: start, events: those } = part(bornIn(seq));
		const some = those.slice(seq - 1 - start, seq - 1 - start + limit - found.length);
		found.push(...some);
		seq += some.length;
		if (some.length === 0) break;
	}
	return found;
}
