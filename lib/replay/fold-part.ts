import type { Part } from '../contract/archives/replay.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { fold } from '../session/fold.ts';
import { rowKeyOf } from '../session/row.ts';

/** Events in one part: stepping back folds at most so many anew, and a page asks for so many at once. */
export const PART_EVENTS = 500;

/** A recorded session after some of a part's events. */
export interface PartState {
	view: SessionView;
	/** The rows that those events changed, by key, in the order in which that began. */
	changed: ReadonlyMap<string, Row>;
}

/** The state ahead of a part's first event. */
export const startOf = ({ view }: Part): PartState => ({ view, changed: new Map() });

/**
 * The state after the event `seq`, which lies in the part: what a fold of all events from the session's first one gives.
 * `near` is a state of this part that is already known, for short steps forward.
 */
export function foldPart(
	part: Part,
	seq: number,
	near: PartState = startOf(part),
	/** Hears of each event that is folded, with the view before it. */
	onEvent?: (event: IndexedEvent, before: SessionView) => void,
): PartState {
	const from = near.view.seq <= seq ? near : startOf(part);
	if (from.view.seq === seq) return from;
	const changed = new Map(from.changed);
	const recalled = new Map(part.recalled.map((row) => [row.key, row]));
	const rowOf = (key: string) => changed.get(key) ?? recalled.get(key);
	let { view } = from;
	for (const event of part.events.slice(view.seq - part.after, seq - part.after)) {
		onEvent?.(event, view);
		const step = fold(view, event, rowOf);
		view = step.view;
		for (const row of step.rows) changed.set(row.key, row);
	}
	return { view, changed };
}

/** When a recording has an event (ms), `before` being that of the event ahead: time never runs backwards in it. */
export function instantOf({ ts }: Pick<IndexedEvent, 'ts'>, before: number | null): number {
	const own = Date.parse(ts);
	return before === null ? own : Math.max(own, before);
}

/** The seq of a part's last event that had happened at an instant (ms); that of the event ahead where none had. */
export function seqAt({ after, startAt, events }: Part, instant: number): number {
	let at = startAt;
	for (const event of events) {
		at = instantOf(event, at);
		if (at > instant) return event.seq - 1;
	}
	return after + events.length;
}

/** The events of a part that belong to a row of the story. */
export function eventsOfRow(part: Part, row: string): IndexedEvent[] {
	const found: IndexedEvent[] = [];
	foldPart(part, part.after + part.events.length, startOf(part), (event, before) => {
		if (rowKeyOf(before, event) === row) found.push(event);
	});
	return found;
}
