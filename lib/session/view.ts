import type { SessionView } from '../contract/sessions/read-model/session-view.ts';

export type {
	AgentView,
	Counters,
	IndexedEvent,
	LaneState,
	MismatchView,
	Moment,
	PlanEdit,
	SessionView,
	SpawnsView,
	SupervisorView,
	UnaskedAgent,
} from '../contract/sessions/read-model/session-view.ts';

/** The view before the first event. */
export function emptyView(sessionId: string): SessionView {
	return {
		sessionId,
		seq: 0,
		turn: 'idle',
		agents: [],
		calls: [],
		approvals: [],
		mismatches: [],
		supervisor: [],
		counters: {
			events: 0,
			prompts: 0,
			calls: 0,
			errors: 0,
			denials: 0,
			overrides: 0,
			mismatches: 0,
			fails: 0,
			rejects: 0,
			unclear: 0,
			retries: 0,
			warnings: 0,
			gaps: 0,
			unverified: 0,
			deniedButRan: 0,
			alarms: 0,
		},
		activity: { minute: 0, counts: [] },
	};
}
