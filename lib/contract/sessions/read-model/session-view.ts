import type { EdgeLevel } from '../../approvals/approval-record.ts';
import type { GrantReach } from '../../approvals/grant-reach.ts';
import type { PlanPhase } from '../../events/catalogue/judgement.ts';
import type { TimelineEvent } from '../../events/event.ts';
import type { UsageTotals } from '../../events/usage.ts';
import type { ApprovalView, CallAlarm, CallOutcome, CallView, ClosedWhy } from './call-view.ts';
import type { WorkflowState } from './workflow-state.ts';

/** `seq` is gap-free within the session and valid for one epoch of the index. */
export type IndexedEvent = TimelineEvent & {
	seq: number;
	/** An approval or grant line without its journal row. */
	unverified?: true;
};

export interface Machine {
	name: string;
	team: string;
	level: EdgeLevel;
	grants: GrantReach;
}

/** Keyed by the client's agent id (or `name:<agent>` for foreign lines). */
export interface AgentView {
	agentId: string;
	name: string;
	stage?: string;
	description?: string;
	toolUseId?: string;
	/** Counted, so that arrival order does not matter and a resumed agent runs again. */
	starts: number;
	ends: number;
	startedAt?: string;
	endedAt?: string;
	end?: { ts: string; id: string };
	error?: string;
	result?: string;
	message?: string;
	background?: true;
	calls: number;
	closed?: { at: string; why: ClosedWhy };
}

export interface MismatchView {
	toolUseId?: string;
	planId: string;
	actual: string;
	expected: string[];
	at: string;
	seq: number;
	approval?: ApprovalView;
	grant?: CallView['grant'];
	outcome: CallOutcome;
}

export interface SupervisorView {
	reviewId?: string;
	toolUseId?: string;
	hook: string;
	at: string;
	deadline?: string;
	allow?: boolean;
	feedback?: string;
	iteration: number;
	max: number;
	durationMs?: number;
	by?: 'reviewer' | 'person' | 'limit';
	failed?: boolean;
	error?: string;
	reviewer?: string;
	/** The session or its agent ended before a verdict came. */
	cutOffAt?: string;
	seq: number;
}

export interface UnaskedAgent {
	agentId: string;
	agent: string;
	at: string;
}

/** Sub-agents that judged calls asked for, against those that appeared. */
export interface SpawnsView {
	due: Record<string, number>;
	/** Of any name: their call does not say whom it starts. */
	dueAny: number;
	unasked: UnaskedAgent[];
}

/** A change that lets more start and that the agent itself may have made. */
export interface PlanEdit {
	id: string;
	planId: string;
	at: string;
	agents: string[];
	/** The agent's own call wrote the plan, or it changed between a denial and the next prompt of a person. */
	how: 'own-call' | 'after-denial';
}

export type LaneState = 'working' | 'waiting' | 'reviewed' | 'failed' | 'idle' | 'over';

export interface Moment {
	at: string;
	what: LaneState | 'denial' | 'mismatch' | 'decision';
	row: string;
}

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
	unclear: number;
	retries: number;
	warnings: number;
	gaps: number;
	unverified: number;
	deniedButRan: number;
	/** Calls with an alarm, denied but ran among them. */
	alarms: number;
}

export interface StageRun {
	stage: string;
	from: number;
	to: number | null;
	result?: string;
}

export interface HandledAlarm {
	key: string;
	at: string;
	until?: string;
}

export interface AlarmView {
	/** `call:<id>`, the key of its row; of silence `silent:<since>`. */
	key: string;
	kind: CallAlarm | 'silent';
	at: string;
	cause: string;
}

/** Sums of a session's calls, since its rows are too many to be added up by a page. */
export interface WorkView {
	tools: { name: string; calls: number; ms: number }[];
	files: FileWork[];
	moreFiles: number;
	waits: { row: string; title: string; at: string; ms: number }[];
}

export interface FileWork {
	path: string;
	edits: number;
	added: number;
	removed: number;
	/** Some of it was too large for its event. */
	isMore?: true;
}

/** Open things, counters and the last closed ones. Rows come by range from the index. */
export interface SessionView {
	sessionId: string;
	/** An event at or below it changes nothing. */
	seq: number;
	agent?: string;
	project?: string;
	cwd?: string;
	branch?: string;
	machine?: Machine;
	/** On a hub: ISO; it is read from its archive, and nothing is written any more. */
	archivedAt?: string;
	model?: string;
	pid?: number;
	reviewer?: boolean;
	title?: string;
	startedAt?: string;
	lastAt?: string;
	ended?: { at: string; reason?: string };
	lost?: { at: string; reason?: string };
	turn: 'idle' | 'running';
	turnAt?: string;
	/** The client asks its person in the terminal; closed by the actor's next event. */
	prompting?: { agentId?: string; at: string };
	lastMessage?: string;
	failure?: string;
	/** By the reducer of the gates and the state files. */
	workflow?: WorkflowState;
	/** When a person first asked for something else after its end. */
	workflowLeftAt?: string;
	stageRuns?: readonly StageRun[];
	loop?: { iteration: number; progress?: string; tasks?: string; endedAt?: string; reason?: string };
	agents: AgentView[];
	planEdits?: { denied: string[]; edits: PlanEdit[] };
	/** Absent if the session was not watched from its start. */
	spawns?: SpawnsView;
	calls: CallView[];
	approvals: ApprovalView[];
	plan?: { planId: string; status: string; phases: PlanPhase[]; at: string; seq: number };
	mismatches: MismatchView[];
	supervisor: SupervisorView[];
	work?: WorkView;
	usage?: UsageView;
	/** The client's record of the conversation; from `from` on its lines are of this session. */
	transcript?: { path: string; from?: string };
	/** A change tells pages to read its state again. */
	supervisorSwitches?: number;
	assessment?: { validator: string; allowed: boolean; rating?: string; reasoning?: string; at: string; row: string };
	alarms?: readonly AlarmView[];
	handled?: readonly HandledAlarm[];
	moments?: readonly Moment[];
	laneState?: LaneState;
	todos?: { content: string; status: string }[];
	rules?: Record<string, { denied: number; overridden: number }>;
	counters: Counters;
	/** Events a minute, newest last; `minute` is the last bucket's epoch minute. */
	activity: { minute: number; counts: number[] };
}

export interface UsagePart extends UsageTotals {
	name: string;
	/** Parts beyond the most that are distinguished, as one. */
	others?: true;
}

export interface UsageView {
	total: UsageTotals;
	models: UsagePart[];
	agents: UsagePart[];
	stages: UsagePart[];
	/** If it is no transcript. */
	source?: 'telemetry';
	read: { agentId: string; to: number }[];
}
