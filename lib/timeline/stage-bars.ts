import { isKnown } from '../contract/event.ts';
import type { IndexedEvent } from '../session/view.ts';
import { stageBase } from '../workflow/stage-keys.ts';

/** One run of a stage. Times are ms since the epoch; `to` is null while it runs. */
export interface StageBar {
	stage: string;
	from: number;
	to: number | null;
	result?: string;
}

/** Collects the runs of all stages of one session, event by event in their order. */
export function stageBars(events: Iterable<IndexedEvent>): StageBar[] {
	const bars: StageBar[] = [];
	const open = new Map<string, StageBar>();
	const begin = (stage: string, at: number) => {
		if (open.has(stage)) return;
		const bar: StageBar = { stage, from: at, to: null };
		open.set(stage, bar);
		bars.push(bar);
	};
	for (const event of events) {
		if (!isKnown(event)) continue;
		const at = Date.parse(event.ts);
		switch (event.type) {
			case 'stage:start':
				begin(event.stage, at);
				break;
			case 'agent:delegate':
				// Overtone itself writes no stage:start, and names the base stage only.
				if (event.stage && !isOpen(open, event.stage)) begin(event.stage, at);
				break;
			case 'stage:complete': {
				const key = open.has(event.stage) ? event.stage : stageBase(event.stage);
				const bar = open.get(key) ?? { stage: event.stage, from: at, to: null };
				if (!open.delete(key)) bars.push(bar);
				bar.stage = event.stage;
				bar.to = Math.max(bar.from, at);
				if (event.result) bar.result = event.result;
				break;
			}
			case 'workflow:complete':
			case 'workflow:abort':
			case 'session:end':
				for (const bar of open.values()) bar.to = Math.max(bar.from, at);
				open.clear();
				break;
			default:
		}
	}
	return bars;
}

function isOpen(open: ReadonlyMap<string, StageBar>, stage: string): boolean {
	return [...open.keys()].some((key) => stageBase(key) === stageBase(stage));
}

/** The bars as they stood at an instant (ms): later ones are gone, those that ended later still run. */
export function barsAt(bars: readonly StageBar[], instant: number): StageBar[] {
	return bars
		.filter(({ from }) => from <= instant)
		.map((bar) => (bar.to === null || bar.to <= instant ? bar : { stage: bar.stage, from: bar.from, to: null }));
}
