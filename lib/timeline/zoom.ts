import type { Span, TimeScale } from './time-scale.ts';

/** Nothing is drawn of less time (ms) than this. */
const SHORTEST_MS = 250;

/** Moves what is in view along the axis by a share of its own width; it stops at the ends. */
export function panSpan(view: Span, share: number, axis: TimeScale): Span {
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const by = Math.min(axis.width - right, Math.max(-left, (right - left) * share));
	return { from: axis.toTime(left + by), to: axis.toTime(right + by) };
}

/** Shows `factor` times as much of the axis, around the instant at `share` of the width, or less at its ends. */
export function zoomSpan(view: Span, factor: number, share: number, axis: TimeScale): Span {
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const wide = Math.min(axis.width, (right - left) * factor);
	const from = Math.min(axis.width - wide, Math.max(0, left + (right - left - wide) * share));
	const next = { from: axis.toTime(from), to: axis.toTime(from + wide) };
	return factor < 1 && next.to - next.from < SHORTEST_MS ? view : next;
}

/** The parts of spans (ascending, without overlaps) that lie in view. */
export function clipSpans(spans: readonly Span[], { from, to }: Span): Span[] {
	return spans
		.filter((span) => span.to >= from && span.from <= to)
		.map((span) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }));
}
