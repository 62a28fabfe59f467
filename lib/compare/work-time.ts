import type { Span } from '../timeline/time-scale.ts';

/** Stretches of several sessions as one line of time: ascending, what overlaps joined. */
export function joinSpans(spans: readonly Span[]): Span[] {
	const joined: Span[] = [];
	for (const { from, to } of spans.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
		const last = joined.at(-1);
		if (last && from <= last.to) last.to = Math.max(last.to, to);
		else joined.push({ from, to });
	}
	return joined;
}

/** Time of work in ms. */
export const workOf = (spans: readonly Span[]): number => spans.reduce((sum, { from, to }) => sum + to - from, 0);

/** How much work was done up to each instant (ms), by spans that ascend without overlaps. */
export function workUntil(spans: readonly Span[]): (instant: number) => number {
	const before: number[] = [];
	let sum = 0;
	for (const { from, to } of spans) {
		before.push(sum);
		sum += to - from;
	}
	return (instant) => {
		let [low, high] = [0, spans.length];
		while (low < high) {
			const middle = (low + high) >>> 1;
			if ((spans[middle]?.from ?? 0) <= instant) low = middle + 1;
			else high = middle;
		}
		const span = spans[low - 1];
		return span ? (before[low - 1] ?? 0) + Math.min(instant, span.to) - span.from : 0;
	};
}
