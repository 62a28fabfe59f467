import type { PlanPhase } from '../contract/catalogue/judgement.ts';
import type { TimelineEvent } from '../contract/event.ts';
import type { ApprovalView, CallOutcome, CallView, ClosedWhy } from './call.ts';

/** An event with its place: `seq` is gap-free within the session and valid for one epoch of the index. */
export type IndexedEvent = TimelineEvent & {
	seq: number;
	/** An approval or grant line without its journal row (DESIGN 1). */
	unverified?: true;
};

/** One actor beside the main agent, keyed by the client's agent id (or `name:<agent>` for foreign lines). */
export interface AgentView {
	agentId: string;
	name: string;
	stage?: string;
	description?: string;
	toolUseId?: string;
	/** Starts and ends are counted, so that arrival order does not matter and a resumed agent runs again. */
	starts: number;
	ends: number;
	startedAt?: string;
	endedAt?: string;
	/** The event that `endedAt`, `error`, `result` and `message` come from. */
	end?: { ts: string; id: string };
	error?: string;
	result?: string;
	message?: string;
	background?: true;
	calls: number;
	closed?: { at: string; why: ClosedWhy };
}

export interface StageView {
	key: string;
	mode?: string;
	starts: number;
	startedAt?: string;
	completedAt?: string;
	result?: string;
	/** The event that `completedAt` and `result` come from. */
	end?: { ts: string; id: string };
	retries: number;
	/** Why it was to be done again, the last time, and the event that says so. */
	again?: { ts: string; id: string; reason: string };
}

export interface MismatchView {
	toolUseId?: string;
	planId: string;
	actual: string;
	expected: string[];
	at: string;
	seq: number;
	/** What a person did about it, and what became of the call. */
	approval?: ApprovalView;
	grant?: CallView['grant'];
	outcome: CallOutcome;
}

export interface SupervisorView {
	/** The id of its `supervisor:review`. */
	reviewId?: string;
	toolUseId?: string;
	hook: string;
	at: string;
	/** After this nobody reviews any more. */
	deadline?: string;
	allow?: boolean;
	feedback?: string;
	iteration: number;
	max: number;
	durationMs?: number;
	by?: 'reviewer' | 'person' | 'limit';
	failed?: boolean;
	/** Why it failed, for a person. */
	error?: string;
	/** The session in which the reviewer worked. */
	reviewer?: string;
	/** The session or its agent ended before a verdict came. */
	cutOffAt?: string;
	seq: number;
}

/** Whole numbers that the header and the list show. */
export interface Counters {
	events: number;
	prompts: number;
	calls: number;
	errors: number;
	denials: number;
	overrides: number;
	mismatches: number;
	fails: number;
	rejects: number;
	retries: number;
	warnings: number;
	gaps: number;
	unverified: number;
	deniedButRan: number;
	/** Calls with an alarm, those that were denied but ran among them. */
	alarms: number;
}

/** The summary of a session: open things, counters and the last closed ones. Rows come by range from the index. */
export interface SessionView {
	sessionId: string;
	/** Everything up to this seq is in the view; an event at or below it changes nothing. */
	seq: number;
	project?: string;
	cwd?: string;
	branch?: string;
	model?: string;
	pid?: number;
	/** It reviews another session for the supervisor; the list leaves it out. */
	reviewer?: boolean;
	title?: string;
	startedAt?: string;
	lastAt?: string;
	ended?: { at: string; reason?: string };
	lost?: { at: string; reason?: string };
	/** What the main agent does: between prompts or in a turn. */
	turn: 'idle' | 'running';
	turnAt?: string;
	/** The client itself asks its person something in the terminal; closed by the actor's next event. */
	prompting?: { agentId?: string; at: string };
	lastMessage?: string;
	failure?: string;
	workflow?: {
		type: string;
		startedAt?: string;
		completedAt?: string;
		abortedAt?: string;
		/** Why it was aborted. */
		abortReason?: string;
		/** A person asked for something else after its end: it is shown no more. */
		leftAt?: string;
		/** Instants of the last pause and its end; `isWorkflowPaused` reads them. */
		pausedAt?: string;
		resumedAt?: string;
		featureName?: string;
		/** A limit was reached: a person must say how to go on. */
		fatal?: { at: string; reason: string };
	};
	stages: StageView[];
	groups: { name: string; stages: string[]; startedAt?: string; convergedAt?: string }[];
	loop?: { iteration: number; progress?: string; endedAt?: string; reason?: string };
	/** Open agents, then the last closed ones. */
	agents: AgentView[];
	/** Open calls, then the last closed ones. */
	calls: CallView[];
	approvals: ApprovalView[];
	plan?: { planId: string; status: string; phases: PlanPhase[]; at: string; seq: number };
	mismatches: MismatchView[];
	supervisor: SupervisorView[];
	/** How often it was switched or reset: then its state is asked for again. */
	supervisorSwitches?: number;
	todos?: { content: string; status: string }[];
	/** How often each rule denied something here, and how often a person overrode it. */
	rules?: Record<string, { denied: number; overridden: number }>;
	counters: Counters;
	/** Events a minute, newest last, for the sparkline: `minute` is the last bucket's epoch minute. */
	activity: { minute: number; counts: number[] };
}

/** The view before the first event. */
export function emptyView(sessionId: string): SessionView {
	return {
		sessionId,
		seq: 0,
		turn: 'idle',
		stages: [],
		groups: [],
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
