/** A stretch of time in ms since the epoch, `to` not before `from`. */
export interface Span {
	from: number;
	to: number;
}

/** A piece of the axis: busy time takes its share of the width, an idle gap always the same. */
export interface Segment extends Span {
	idle: boolean;
	/** Left edge and width in px. */
	x: number;
	width: number;
}

/** Time to px and back, over busy stretches with the idle ones between them collapsed. */
export interface TimeScale {
	segments: readonly Segment[];
	/** The whole axis in px. */
	width: number;
	/** Total and monotone; what lies outside the axis is put at its end. */
	toX: (ms: number) => number;
	/** The inverse of `toX` within busy stretches and gaps alike. */
	toTime: (x: number) => number;
}

/** What an idle gap takes, however long it is. */
export const GAP_PX = 48;
/** Nothing happening for this long (ms) is an idle gap. */
export const IDLE_MS = 120_000;
/** A busy stretch is never narrower. */
const MIN_BUSY_PX = 4;

/** The room for each gap where all of them together may take at most half of `width` px. */
export const gapFor = (busy: readonly Span[], width: number) =>
	Math.min(GAP_PX, Math.max(2, width / 2 / Math.max(1, busy.length - 1)));

/** Joins spans that touch or lie less than `idleMs` apart; ascending, without overlaps. */
export function busySpans(spans: readonly Span[], idleMs = IDLE_MS): Span[] {
	const sorted = spans.filter(({ from, to }) => Number.isFinite(from) && to >= from).sort((a, b) => a.from - b.from);
	const joined: Span[] = [];
	for (const { from, to } of sorted) {
		const last = joined.at(-1);
		if (last && from - last.to < idleMs) last.to = Math.max(last.to, to);
		else joined.push({ from, to });
	}
	return joined;
}

/**
 * Lays busy stretches (ascending, without overlaps) and the gaps between them on `width` px, or more if they need it:
 * a gap takes `gapPx`.
 */
export function timeScale(busy: readonly Span[], width: number, gapPx = GAP_PX): TimeScale {
	const gaps = Math.max(0, busy.length - 1) * gapPx;
	const spare = Math.max(0, width - gaps - busy.length * MIN_BUSY_PX);
	const total = busy.reduce((sum, { from, to }) => sum + (to - from), 0);
	const segments: Segment[] = [];
	let x = 0;
	for (const [at, { from, to }] of busy.entries()) {
		const before = segments.at(-1);
		if (before) {
			segments.push({ from: before.to, to: from, idle: true, x, width: gapPx });
			x += gapPx;
		}
		const share = total > 0 ? (to - from) / total : 1 / busy.length;
		const wide = MIN_BUSY_PX + spare * share;
		segments.push({ from, to, idle: false, x, width: at === busy.length - 1 ? Math.max(wide, width - x) : wide });
		x += segments.at(-1)?.width ?? 0;
	}
	return {
		segments,
		width: x,
		toX(ms) {
			const segment = segments.find(({ to }) => ms <= to) ?? segments.at(-1);
			if (!segment) return 0;
			const { from, to } = segment;
			return segment.x + (to > from ? clamp((ms - from) / (to - from)) * segment.width : 0);
		},
		toTime(px) {
			const segment = segments.find((each) => px <= each.x + each.width) ?? segments.at(-1);
			if (!segment) return 0;
			return segment.from + clamp((px - segment.x) / segment.width) * (segment.to - segment.from);
		},
	};
}

const clamp = (share: number) => Math.min(1, Math.max(0, share));
