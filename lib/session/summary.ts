import type { ApprovalView } from './call.ts';
import type { SessionStatus } from './status.ts';

/** One line of the session list; small enough to be pushed to every open browser. */
export interface SessionSummary {
	sessionId: string;
	seq: number;
	/** As of `lastAt`; the browser recomputes with its own clock via `statusOf`. */
	status: SessionStatus;
	/** The make of agent, by its name in the agent table. */
	agent: string;
	project?: string;
	branch?: string;
	title?: string;
	/** It reviews another session for the supervisor; the list leaves it out. */
	reviewer?: boolean;
	workflow?: string;
	/** A person paused its workflow. */
	paused?: true;
	stages: { key: string; state: 'pending' | 'active' | 'done' | 'failed' }[];
	agents: string[];
	activity?: string;
	startedAt?: string;
	lastAt?: string;
	endedAt?: string;
	turnAt?: string;
	approvals: ApprovalView[];
	counts: {
		calls: number;
		errors: number;
		denials: number;
		overrides: number;
		mismatches: number;
		deniedButRan: number;
		alarms: number;
		events: number;
	};
	spark: { minute: number; counts: number[] };
}
