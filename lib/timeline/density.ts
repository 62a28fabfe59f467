import { busySpans, IDLE_MS, type Span, type TimeScale } from './time-scale.ts';

export interface Point {
	seq: number;
	at: number;
}

const SPREAD = 512;
const MAX_SPLITS = 1024;

type Instants = readonly (number | undefined)[];

/** When a session of `last` events was busy, from few samples: evenly spread, and more where it was slow. `read` gives ms. */
export function samplePoints(last: number, read: (seq: number) => number | undefined): Point[] {
	const sampling = sample(last);
	let step = sampling.next();
	while (!step.done) step = sampling.next(step.value.map(read));
	return step.value;
}

/** `samplePoints` for instants that have to be fetched, one batch a step. */
export async function readPoints(last: number, read: (seqs: number[]) => Promise<Instants>): Promise<Point[]> {
	const sampling = sample(last);
	let step = sampling.next();
	while (!step.done) step = sampling.next(await read(step.value));
	return step.value;
}

function* sample(last: number): Generator<number[], Point[], Instants> {
	const points: Point[] = [];
	let latest = Number.NEGATIVE_INFINITY;
	const count = Math.min(last, SPREAD);
	let splits = MAX_SPLITS;
	const pointOf = (seq: number, at: number | undefined) =>
		at === undefined || !Number.isFinite(at) ? undefined : { seq, at };
	const add = (point: Point | undefined) => {
		if (!point) return;
		latest = Math.max(latest, point.at);
		points.push({ seq: point.seq, at: latest });
	};
	function* split(before: Point, after: Point): Generator<number[], void, Instants> {
		if (after.at - before.at < IDLE_MS || after.seq - before.seq < 2 || splits === 0) return;
		splits -= 1;
		const seq = Math.floor((before.seq + after.seq) / 2);
		const middle = pointOf(seq, (yield [seq])[0]);
		if (!middle) return;
		yield* split(before, middle);
		add(middle);
		yield* split(middle, after);
	}
	const spread = Array.from({ length: count }, (_, index) =>
		count === 1 ? last : 1 + Math.round((index * (last - 1)) / (count - 1)),
	);
	const instants = count === 0 ? [] : yield spread;
	let before: Point | undefined;
	for (const [index, seq] of spread.entries()) {
		const point = pointOf(seq, instants[index]);
		if (before && point) yield* split(before, point);
		add(point);
		before = point ?? before;
	}
	return points;
}

/** A stretch between samples that was not read counts as busy. */
export function busyBetween(points: readonly Point[], idleMs = IDLE_MS): Span[] {
	return busySpans(
		points.map(({ seq, at }, index) => {
			const next = points[index + 1];
			// A stretch that was not read may have been busy.
			const isBusy = next && (next.at - at < idleMs || next.seq - seq > 1);
			return { from: at, to: isBusy ? next.at : at };
		}),
		idleMs,
	);
}

/** The position at an instant (ms), interpolated between samples, so not a whole number. */
export function seqAt(points: readonly Point[], ms: number): number {
	let low = 0;
	let high = points.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((points[middle]?.at ?? 0) <= ms) low = middle + 1;
		else high = middle;
	}
	const before = points[low - 1];
	const after = points[low];
	if (!before) return 0;
	if (!after) return before.seq;
	return before.seq + ((after.seq - before.seq) * (ms - before.at)) / (after.at - before.at);
}

/** How many events happened in each column of `columnPx`, over all sessions. */
export function densityColumns(axis: TimeScale, sessions: readonly (readonly Point[])[], columnPx: number): number[] {
	const columns = Math.max(1, Math.floor(axis.width / columnPx));
	const upTo = (ms: number) => sessions.reduce((sum, points) => sum + seqAt(points, ms), 0);
	let before = upTo(axis.toTime(0) - 1);
	return Array.from({ length: columns }, (_, index) => {
		const after = upTo(axis.toTime((index + 1) * columnPx));
		const count = Math.max(0, after - before);
		before = after;
		return count;
	});
}

/** Heights are square roots, so that quiet columns are visible. */
export function densityPath(counts: readonly number[], columnPx: number, height: number): string {
	const most = Math.max(1, ...counts);
	return counts
		.map((count, index) => {
			const top = (height - Math.sqrt(count / most) * height).toFixed(1);
			return count > 0 ? `M${index * columnPx} ${height}V${top}h${columnPx - 1}V${height}z` : '';
		})
		.join('');
}
