import type { Tone } from '../../events/event-labels.ts';
import type { UsageTotals } from '../../events/usage.ts';
import type { ApprovalView } from './call-view.ts';
import type { AlarmView, Machine } from './session-view.ts';

export type SessionStatus = 'running' | 'waiting' | 'idle' | 'ended' | 'lost';

/** What a session does at this moment, or said last. */
export interface Doing {
	/** The sub-agent that does it; absent for the main agent. */
	agent?: string;
	/** One line of agent text: `Edit src/total.ts`. */
	text: string;
	/** ISO: since when it goes on; absent where nothing does. */
	since?: string;
}

/** What a judge has said of a session, in few words. */
export interface Judgement {
	by: 'alarm' | 'stage' | 'routing' | 'supervisor' | 'validator' | 'gate' | 'person' | 'tool';
	tone: Tone;
	/** One line; parts of it are agent text. */
	text: string;
	/** ISO: it goes on since then. */
	since?: string;
	/** ISO: after this nobody works on it any more. */
	until?: string;
	/** The row where it is told. */
	row?: string;
}

/** Stages that did not pass, where the agent does not go on by itself: a person must say how. */
export interface StuckStage {
	/** The stages, by key; none where the workflow as a whole stopped. */
	stages: string[];
	/** In one line of agent text. */
	why: string;
	/** ISO: since when nothing goes on. */
	at: string;
}

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
	/** On a hub. */
	machine?: Machine;
	title?: string;
	/** It reviews another session for the supervisor; the list leaves it out. */
	reviewer?: boolean;
	workflow?: string;
	/** A person paused its workflow. */
	paused?: true;
	stages: { key: string; state: 'pending' | 'active' | 'done' | 'issues' | 'failed' }[];
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

/** The headings under which sessions stand in the list. */
export const listGroups = ['Running', 'Idle', 'Ended today', 'Older'] as const;

export type ListGroup = (typeof listGroups)[number];

/** How many sessions there are, whatever pages of them a reader has; reviewers of others are not counted. */
export interface SessionCounts {
	all: number;
	groups: Record<ListGroup, number>;
	/** With an alarm that nobody has acknowledged. */
	alarmed: number;
}

/** A part of the list, the last active first. */
export interface SessionsPage {
	sessions: SessionSummary[];
	counts: SessionCounts;
	/** What `before` the next page has; null when this is the last. */
	next: string | null;
}
