import type { Segment } from './time-scale.ts';

/** A labelled instant of the axis. */
export interface Tick {
	ms: number;
	/** px from the axis's left edge. */
	x: number;
}

/** The ticks of one busy stretch, and whether minutes would not tell them apart. */
export interface Ticks {
	ticks: readonly Tick[];
	inSeconds: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Round to a person who reads a clock. */
const STEPS = [
	...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
	...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
	...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
];

/**
 * Labels for a busy stretch: its beginning, then round instants, each at least `labelPx` after the one before and
 * before the stretch's end. None where the stretch is narrower than one label.
 */
export function axisTicks({ from, to, x, width }: Segment, labelPx: number): Ticks {
	const perMs = to > from ? width / (to - from) : 0;
	const step = STEPS.find((candidate) => candidate * perMs >= labelPx);
	const inSeconds = step !== undefined && step < MINUTE;
	if (width < labelPx) return { ticks: [], inSeconds };
	const ticks: Tick[] = [{ ms: from, x }];
	if (step === undefined) return { ticks, inSeconds };
	for (let ms = Math.ceil(from / step) * step; ms <= to; ms += step) {
		const at = x + (ms - from) * perMs;
		if (at - x >= labelPx && x + width - at >= labelPx) ticks.push({ ms, x: at });
	}
	return { ticks, inSeconds };
}

/**
 * Round instants (ms) between two others by the reader's clock, at most `most` of them; none so near to either end, as a
 * share of the whole, that its label would stand on another's.
 */
export function roundTimes(from: number, to: number, most: number, nearEnd = 0.06): number[] {
	if (!(to > from)) return [];
	const step = STEPS.find((candidate) => (to - from) / candidate <= most) ?? to - from;
	const zone = new Date(from).getTimezoneOffset() * MINUTE;
	const times: number[] = [];
	const first = Math.ceil((from + 0.02 * (to - from) - zone) / step) * step + zone;
	for (let ms = first; ms <= to - nearEnd * (to - from); ms += step) times.push(ms);
	return times;
}
