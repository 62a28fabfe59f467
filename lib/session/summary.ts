import type { UsageTotals } from '../contract/usage.ts';
import type { AlarmView } from './alarms.ts';
import type { ApprovalView } from './call.ts';
import type { Doing } from './doing.ts';
import type { Judgement } from './judgement.ts';
import type { SessionStatus } from './status.ts';
import type { StuckStage } from './stuck-stage.ts';

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
	/** What it does at this moment, or said last. */
	doing?: Doing;
	/** What judges say of it, the most important first. */
	judgements: Judgement[];
	/** Calls that went otherwise than decided, which nobody has seen; those that were put off among them. */
	alarms: (AlarmView & { until?: string })[];
	/** Stages that wait for a person. */
	stuck?: StuckStage;
	/** A call is open, or a review until its deadline (ISO): it may be quiet. */
	busy?: { until?: string };
	/** The silence that began then (ISO) was seen; or until then it is not told of. */
	quiet?: { since: string; until?: string };
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
	/** What its models took; absent while nothing is known of it. */
	usage?: UsageTotals;
	spark: { minute: number; counts: number[] };
}
