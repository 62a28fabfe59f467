import { isKnown, type KnownEvent } from '../contract/event.ts';
import type { IndexedEvent } from '../session/view.ts';
import { stageBase } from '../workflow/stage-keys.ts';

/** One run of a stage. Times are ms since the epoch; `to` is null while it runs. */
export interface StageBar {
	stage: string;
	from: number;
	to: number | null;
	result?: string;
}

interface Track {
	bars: StageBar[];
	open: Map<string, StageBar>;
}

/** Collects the runs of all stages of one session, event by event in their order. */
export function stageBars(events: Iterable<IndexedEvent>): StageBar[] {
	const track: Track = { bars: [], open: new Map() };
	for (const event of events) if (isKnown(event)) follow(track, event, Date.parse(event.ts));
	return track.bars;
}

function follow(track: Track, event: KnownEvent, at: number): void {
	switch (event.type) {
		case 'stage:start':
			begin(track, event.stage, at);
			break;
		case 'agent:delegate':
			// Overtone itself writes no stage:start, and names the base stage only.
			if (event.stage && !isOpen(track, event.stage)) begin(track, event.stage, at);
			break;
		case 'stage:complete':
			complete(track, event, at);
			break;
		case 'workflow:complete':
		case 'workflow:abort':
		case 'session:end':
			for (const bar of track.open.values()) bar.to = Math.max(bar.from, at);
			track.open.clear();
			break;
		default:
	}
}

function begin({ bars, open }: Track, stage: string, at: number): void {
	if (open.has(stage)) return;
	const bar: StageBar = { stage, from: at, to: null };
	open.set(stage, bar);
	bars.push(bar);
}

function complete({ bars, open }: Track, event: Extract<KnownEvent, { type: 'stage:complete' }>, at: number): void {
	const key = open.has(event.stage) ? event.stage : stageBase(event.stage);
	const bar = open.get(key) ?? { stage: event.stage, from: at, to: null };
	if (!open.delete(key)) bars.push(bar);
	bar.stage = event.stage;
	bar.to = Math.max(bar.from, at);
	if (event.result) bar.result = event.result;
}

function isOpen({ open }: Track, stage: string): boolean {
	return [...open.keys()].some((key) => stageBase(key) === stageBase(stage));
}

/** The bars as they stood at an instant (ms): later ones are gone, those that ended later still run. */
export function barsAt(bars: readonly StageBar[], instant: number): StageBar[] {
	return bars
		.filter(({ from }) => from <= instant)
		.map((bar) => (bar.to === null || bar.to <= instant ? bar : { stage: bar.stage, from: bar.from, to: null }));
}
