export interface Span {
	from: number;
	to: number;
}

/** Busy time takes its share of the width, every idle gap the same width. */
export interface Segment extends Span {
	idle: boolean;
	x: number;
	width: number;
}

export const GAP_PX = 48;
export const IDLE_MS = 120_000;
const MIN_BUSY_PX = 4;

/** The width of each gap if all together may take at most half of `width` px. */
export const gapFor = (busy: readonly Span[], width: number) =>
	Math.min(GAP_PX, Math.max(2, width / 2 / Math.max(1, busy.length - 1)));

/** Merges spans that touch or are less than `idleMs` apart; ascending, without overlaps. */
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

/** Lays busy stretches (ascending, without overlaps) and gaps on `width` px, or more if they need it. */
export function timeScale(busy: readonly Span[], width: number, gapPx = GAP_PX) {
	const gaps = Math.max(0, busy.length - 1) * gapPx;
	const spare = Math.max(0, width - gaps - busy.length * MIN_BUSY_PX);
	const total = busy.reduce((sum, { from, to }) => sum + (to - from), 0);
	const segments: Segment[] = [];
	let x = 0;
	for (const [index, { from, to }] of busy.entries()) {
		const before = segments.at(-1);
		if (before) {
			segments.push({ from: before.to, to: from, idle: true, x, width: gapPx });
			x += gapPx;
		}
		const share = total > 0 ? (to - from) / total : 1 / busy.length;
		const wide = MIN_BUSY_PX + spare * share;
		segments.push({ from, to, idle: false, x, width: index === busy.length - 1 ? Math.max(wide, width - x) : wide });
		x += segments.at(-1)?.width ?? 0;
	}
	return {
		segments,
		width: x,
		/** Defined for every time and monotone; clamped to the axis. */
		toX(ms: number) {
			const segment = segments.find(({ to }) => ms <= to) ?? segments.at(-1);
			if (!segment) return 0;
			const { from, to } = segment;
			return segment.x + (to > from ? clamp((ms - from) / (to - from)) * segment.width : 0);
		},
		toTime(px: number) {
			const segment = segments.find((each) => px <= each.x + each.width) ?? segments.at(-1);
			if (!segment) return 0;
			return segment.from + clamp((px - segment.x) / segment.width) * (segment.to - segment.from);
		},
	};
}

export type TimeScale = ReturnType<typeof timeScale>;

const clamp = (share: number) => Math.min(1, Math.max(0, share));

/** Shorter stretches (ms) are not drawn. */
const MIN_SPAN_MS = 250;

/** Moves the view by a share of its own width; stops at the ends. */
export function panSpan(view: Span, share: number, axis: TimeScale): Span {
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const by = Math.min(axis.width - right, Math.max(-left, (right - left) * share));
	return { from: axis.toTime(left + by), to: axis.toTime(right + by) };
}

/** Shows `factor` times as much of the axis around the instant at `share` of the width. */
export function zoomSpan(view: Span, factor: number, share: number, axis: TimeScale): Span {
	const left = axis.toX(view.from);
	const right = axis.toX(view.to);
	const wide = Math.min(axis.width, (right - left) * factor);
	const from = Math.min(axis.width - wide, Math.max(0, left + (right - left - wide) * share));
	const next = { from: axis.toTime(from), to: axis.toTime(from + wide) };
	return factor < 1 && next.to - next.from < MIN_SPAN_MS ? view : next;
}

export function clipSpans(spans: readonly Span[], { from, to }: Span): Span[] {
	return spans
		.filter((span) => span.to >= from && span.from <= to)
		.map((span) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }));
}

interface Tick {
	ms: number;
	x: number;
}

/** The ticks of one busy stretch; in seconds if minutes would not tell them apart. */
interface Ticks {
	ticks: readonly Tick[];
	inSeconds: boolean;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const STEPS = [
	...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
	...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
	...[1, 2, 3, 6, 12, 24].map((count) => count * HOUR),
];

/** The beginning of a stretch, then round instants at least `labelPx` apart; none if it is narrower than one label. */
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

/** At most `most` round instants (ms) of the reader's clock, none so near an end that labels would overlap. */
export function roundTimes(from: number, to: number, most: number, nearEnd = 0.06): number[] {
	if (!(to > from)) return [];
	const step = STEPS.find((candidate) => (to - from) / candidate <= most) ?? to - from;
	const zone = new Date(from).getTimezoneOffset() * MINUTE;
	const times: number[] = [];
	const first = Math.ceil((from + 0.02 * (to - from) - zone) / step) * step + zone;
	for (let ms = first; ms <= to - nearEnd * (to - from); ms += step) times.push(ms);
	return times;
}

/** Gives each span the first free depth from 0; ascending by start. */
export function stackSpans<T extends Span>(spans: readonly T[]): { spans: (T & { depth: number })[]; depth: number } {
	const ends: number[] = [];
	const stacked = [...spans]
		.sort((a, b) => a.from - b.from)
		.map((span) => {
			const free = ends.findIndex((end) => end <= span.from);
			const depth = free === -1 ? ends.length : free;
			ends[depth] = span.to;
			return { ...span, depth };
		});
	return { spans: stacked, depth: Math.max(1, ends.length) };
}
