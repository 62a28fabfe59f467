import type { ListGroup, SessionCounts } from '../contract/sessions/read-model/session-summary.ts';
import { dayStart } from './list-group.ts';
import { countSessions, headingOf, isAlarmed } from './session-page.ts';
import type { SessionView } from './view.ts';

/** Counts that follow the list: with every word of one session thousands would have to be counted anew. */
export interface SessionTally {
	/** A session is new or has changed. */
	put(view: SessionView): void;
	counts(): SessionCounts;
}

/** How one session was counted last. */
interface Counted {
	heading: ListGroup;
	isAlarmed: boolean;
}

/**
 * Counts the sessions that `views` gives as `countSessions` does: all of them once a day of the reader, then change by
 * change. What goes by the time alone, such as a question that lapses, counts with its session's next word.
 */
export function createTally(views: () => readonly SessionView[], now: () => number, zone: number): SessionTally {
	let midnight = Number.NaN;
	let counts = countSessions([], { now: 0 });
	const known = new Map<string, Counted>();

	function change({ heading, isAlarmed: isWrong }: Counted, by: 1 | -1): void {
		counts = { all: counts.all + by, alarmed: counts.alarmed + (isWrong ? by : 0), groups: { ...counts.groups } };
		counts.groups[heading] += by;
	}
	function put(view: SessionView): void {
		const before = known.get(view.sessionId);
		if (before) change(before, -1);
		known.delete(view.sessionId);
		if (view.reviewer) return;
		const counted = { heading: headingOf(view, now(), midnight), isAlarmed: isAlarmed(view, midnight) };
		known.set(view.sessionId, counted);
		change(counted, 1);
	}
	/** Anew with each day: what was of today is older then. */
	function keepDay(): void {
		const today = dayStart(now(), zone);
		if (today === midnight) return;
		midnight = today;
		for (const view of views()) put(view);
	}
	return {
		put(view) {
			keepDay();
			put(view);
		},
		counts() {
			keepDay();
			return counts;
		},
	};
}
