import type { Tone } from '../contract/events/event-labels.ts';
import type { LaneBar } from './lanes.ts';

/** A bar in px. */
export interface DrawnBar {
	left: number;
	width: number;
	depth: number;
	/** The bars that stand here: several where each alone could be neither seen nor hit. */
	bars: [LaneBar, ...LaneBar[]];
	/** The most telling of theirs. */
	tone: Tone;
}

/** A bar must be seen, and hit, however short it is. */
export const MIN_PX = 4;
/** A group of short bars is no wider, so that where little and where much happened looks different. */
const GROUP_PX = 24;

const telling: readonly Tone[] = ['plain', 'ok', 'run', 'warn', 'wait', 'err'];
const moreTelling = (a: Tone, b: Tone) => (telling.indexOf(a) >= telling.indexOf(b) ? a : b);

/**
 * The bars of a lane (ascending by start) on `width` px. Neighbours too short to be told apart are one; the bar of row
 * `kept` stays by itself. What is drawn of a lane is bounded by its width.
 */
export function clusterBars(
	bars: readonly LaneBar[],
	toX: (ms: number) => number,
	width: number,
	kept?: string | null,
): DrawnBar[] {
	const drawn: DrawnBar[] = [];
	/** The last one at each depth. */
	const last = new Map<number, DrawnBar>();
	for (const bar of bars) {
		const from = toX(bar.from);
		const left = Math.min(from, width - MIN_PX);
		const wide = Math.max(MIN_PX, toX(bar.to) - left);
		const before = last.get(bar.depth);
		const isTiny = wide <= MIN_PX && bar.row !== kept && bar.kind !== 'hold';
		if (
			isTiny &&
			before &&
			isClustered(before, kept) &&
			left <= before.left + before.width + 1 &&
			left + wide <= before.left + GROUP_PX
		) {
			before.width = Math.max(before.width, left + wide - before.left);
			before.bars.push(bar);
			before.tone = moreTelling(before.tone, bar.tone);
			continue;
		}
		const next: DrawnBar = { left, width: wide, depth: bar.depth, bars: [bar], tone: bar.tone };
		drawn.push(next);
		last.set(bar.depth, next);
	}
	return drawn;
}

/** Whether short bars may join it: it is made of short ones itself. */
function isClustered({ bars: [first, ...others], width }: DrawnBar, kept?: string | null): boolean {
	if (others.length > 0) return true;
	return width <= MIN_PX && first.row !== kept && first.kind !== 'hold';
}
