import type { FoldedRange, RangeJob } from './range-fold.ts';

/** What becomes of a range: what the fold says, or that it was written `within` the next one, which hears of both. */
export type SettledRange = Exclude<FoldedRange, { kind: 'apart' }> | 'within';

/** A range that is to be written, of which edge, and how many events it has at most. */
export interface RangeToWrite {
	job: RangeJob;
	edge: number;
	events: number;
	settled: (result: SettledRange) => void;
}

/** Ranges of one session that follow each other, written as one. */
export interface JoinedRanges {
	ranges: readonly RangeToWrite[];
	job: RangeJob;
	edge: number;
	events: number;
}

/**
 * The first ranges that wait of a session, as many as have `room` (events) beside the first: whoever has fallen behind writes
 * many for hardly more than one. Those that are to be taken `apart` stay alone. Undefined where none waits.
 */
export function joinRanges(
	waiting: readonly RangeToWrite[],
	room: number,
	apart: Pick<WeakSet<RangeToWrite>, 'has'>,
): JoinedRanges | undefined {
	const [first] = waiting;
	if (!first) return;
	let { events } = first;
	let count = 1;
	let last = first;
	for (; count < waiting.length; count += 1) {
		const next = waiting[count];
		if (!next || !follows(next, last) || apart.has(first) || apart.has(next) || events + next.events > room) break;
		events += next.events;
		last = next;
	}
	const ranges = waiting.slice(0, count);
	if (count === 1) return { ranges, job: first.job, edge: first.edge, events };
	const bytes = Buffer.concat(ranges.flatMap(({ job }) => job.bytes ?? []));
	const { to, tailDigest } = last.job;
	return { ranges, job: { ...first.job, to, tailDigest, bytes, joined: true }, edge: first.edge, events };
}

/** A line that was too long to be sent has no bytes. */
const follows = ({ job }: RangeToWrite, before: RangeToWrite) =>
	job.from === before.job.to && job.bytes !== null && before.job.bytes !== null;
