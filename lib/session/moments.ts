import { isKnown } from '../contract/events/is-known.ts';
import { isReviewing } from './call.ts';
import { isAgentOpen } from './fold-agent.ts';
import { stuckStage } from './stuck-stage.ts';
import type { IndexedEvent, LaneState, Moment, SessionView } from './view.ts';

/** So many are kept of a session, the newest: a day of one that is often asked has fewer. */
const KEEP = 200;

/** The moments after an event, which made `after` of `before`; most events are none. */
export function foldMoments(before: SessionView, after: SessionView, event: IndexedEvent, row: string): SessionView {
	const found: Moment['what'][] = [];
	if (after.counters.denials > before.counters.denials) found.push('denial');
	if (isKnown(event) && event.unverified === undefined) {
		if (event.type === 'routing:mismatch') found.push('mismatch');
		if (event.type === 'approval:resolve' || event.type === 'grant:create') found.push('decision');
	}
	const state = laneStateOf(after);
	if (state !== (before.laneState ?? 'over')) found.push(state);
	if (found.length === 0) return after;
	const moments = found.map((what): Moment => ({ at: event.ts, what, row }));
	// A verdict comes before the question that holds its call: what waits for a person was not denied.
	const isHeld = after.counters.denials < before.counters.denials && event.type === 'approval:request';
	const known = (after.moments ?? []).filter((moment) => !isHeld || moment.what !== 'denial' || moment.row !== row);
	return { ...after, laneState: state, moments: [...known, ...moments].slice(-KEEP) };
}

/** Who needs a person comes before who is judged, and both before who works. */
export function laneStateOf(view: SessionView): LaneState {
	if (view.ended || view.lost) return 'over';
	let isReviewed = view.supervisor.at(-1)?.allow === undefined && view.supervisor.at(-1)?.cutOffAt === undefined;
	isReviewed &&= view.supervisor.length > 0;
	for (const approval of view.approvals) {
		if (approval.state !== 'waiting') continue;
		if (!isReviewing(approval)) return 'waiting';
		isReviewed = true;
	}
	if (view.prompting) return 'waiting';
	if (isReviewed) return 'reviewed';
	if (view.turn === 'running' || view.agents.some(isAgentOpen)) return view.workflow?.fatal ? 'failed' : 'working';
	return view.failure !== undefined || (view.workflow && stuckStage(view)) ? 'failed' : 'idle';
}
