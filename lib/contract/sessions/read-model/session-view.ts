import type { EdgeLevel } from '../../approvals/edge-level.ts';
import type { GrantReach } from '../../approvals/grant-reach.ts';
import type { PlanPhase } from '../../events/catalogue/judgement.ts';
import type { TimelineEvent } from '../../events/event.ts';
import type { ApprovalView, CallAlarm, CallOutcome, CallView, ClosedWhy } from './call-view.ts';
import type { UsageView } from './usage-view.ts';
import type { WorkflowState } from './workflow-state.ts';

/** An event with its place: `seq` is gap-free within the session and valid for one epoch of the index. */
export type IndexedEvent = TimelineEvent & {
	seq: number;
	/** An approval or grant line without its journal row (DESIGN 1). */
	unverified?: true;
};

/** On a hub: where a session comes from. */
export interface Machine {
	/** As it joined. */
	name: string;
	team: string;
	/** What its owner lets people decide from the hub. */
	level: EdgeLevel;
	/** How far what people allow there may last, for calls like the one that they approve. */
	grants: GrantReach;
}

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

/** A sub-agent that appeared although no call that was let through had asked for one of its kind. */
export interface UnaskedAgent {
	agentId: string;
	agent: string;
	at: string;
}

/** Sub-agents that judged calls asked for, held against those that appeared. */
export interface SpawnsView {
	/** How many agents of a name may still appear. */
	due: Record<string, number>;
	/** How many of any name may: their call does not say whom it starts. */
	dueAny: number;
	/** The last ones that were not due. */
	unasked: UnaskedAgent[];
}

/** A change of a routing plan that the agent itself may have made, and that lets more start. */
export interface PlanEdit {
	/** Of the event that told the plan. */
	id: string;
	planId: string;
	at: string;
	/** Who is expected that was not before. */
	agents: string[];
	/** A call of the agent's own wrote it, or it changed between a denial and the next prompt of a person. */
	how: 'own-call' | 'after-denial';
}

/** What a session does, as its lane of the fleet strip shows it. */
export type LaneState = 'working' | 'waiting' | 'reviewed' | 'failed' | 'idle' | 'over';

/** From here on a session did this; or this happened to it. */
export interface Moment {
	/** ISO. */
	at: string;
	what: LaneState | 'denial' | 'mismatch' | 'decision';
	/** The row of the story where it is told. */
	row: string;
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
	/** Stages that ended without a verdict. */
	unclear: number;
	retries: number;
	warnings: number;
	gaps: number;
	unverified: number;
	deniedButRan: number;
	/** Calls with an alarm, those that were denied but ran among them. */
	alarms: number;
}

/** One run of a stage. Times are ms since the epoch; `to` is null while it runs. */
export interface StageRun {
	stage: string;
	from: number;
	to: number | null;
	result?: string;
}

/** What a person said of an alarm: it was seen, or it is to be told again later. */
export interface HandledAlarm {
	/** The key of the alarm. */
	key: string;
	at: string;
	/** It was put off until then (ISO); absent where it was acknowledged. */
	until?: string;
}

/** A call that went otherwise than gates and people decided. */
export interface AlarmView {
	/** `call:<id>`, the key of its row; of silence `silent:<since>`. */
	key: string;
	kind: CallAlarm | 'silent';
	/** ISO: since when. */
	at: string;
	/** Its cause, in one line of agent text. */
	cause: string;
}

/** What a session's calls came to, as sums: its rows are too many to be added up where they are shown. */
export interface WorkView {
	/** Calls that ran, or tried to, by tool. */
	tools: { name: string; calls: number; ms: number }[];
	/** Files that calls wrote, with the lines that their inputs add and remove. */
	files: FileWork[];
	/** How many files beyond those that are named. */
	moreFiles: number;
	/** The longest times for which calls waited for a person, the longest first. */
	waits: { row: string; title: string; at: string; ms: number }[];
}

/** What was written into one file. */
export interface FileWork {
	path: string;
	edits: number;
	added: number;
	removed: number;
	/** Some of what was written is not known here: it was too large for its event. */
	isMore?: true;
}

/** The summary of a session: open things, counters and the last closed ones. Rows come by range from the index. */
export interface SessionView {
	sessionId: string;
	/** Everything up to this seq is in the view; an event at or below it changes nothing. */
	seq: number;
	/** The make of agent; absent means the first of the agent table. */
	agent?: string;
	project?: string;
	cwd?: string;
	branch?: string;
	/** On a hub. */
	machine?: Machine;
	/** On a hub: since when (ISO) it is read from its archive; nothing is written of it any more. */
	archivedAt?: string;
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
	/** The state of its workflow, by the reducer that the gates and the state files have, too. */
	workflow?: WorkflowState;
	/** When a person first asked for something else after its end: `isWorkflowLeft` reads it. */
	workflowLeftAt?: string;
	/** The runs of its stages, the first to begin first: a stage that was repeated has several. */
	stageRuns?: readonly StageRun[];
	loop?: { iteration: number; progress?: string; tasks?: string; endedAt?: string; reason?: string };
	/** Open agents, then the last closed ones. */
	agents: AgentView[];
	/** Agents that the plan denied since a person's last prompt, and edits that may be the agent's own. */
	planEdits?: { denied: string[]; edits: PlanEdit[] };
	/** Agents that judged calls asked for; absent where the session was not watched from its start. */
	spawns?: SpawnsView;
	/** Open calls, then the last closed ones. */
	calls: CallView[];
	approvals: ApprovalView[];
	plan?: { planId: string; status: string; phases: PlanPhase[]; at: string; seq: number };
	mismatches: MismatchView[];
	supervisor: SupervisorView[];
	/** What its calls came to; absent before the first that ran. */
	work?: WorkView;
	/** What its models took; absent while nothing is known of it. */
	usage?: UsageView;
	/** Where the client writes down the conversation, and from when on its lines are of this session. */
	transcript?: { path: string; from?: string };
	/** How often it was switched or reset: then its state is asked for again. */
	supervisorSwitches?: number;
	/** What a validator said last. */
	assessment?: { validator: string; allowed: boolean; rating?: string; reasoning?: string; at: string; row: string };
	/** Calls that went otherwise than gates and people decided, the newest ones; absent before the first. */
	alarms?: readonly AlarmView[];
	/** What people said of alarms. */
	handled?: readonly HandledAlarm[];
	/** When it began to work, wait, rest; and what happened to it. */
	moments?: readonly Moment[];
	/** The last state among them. */
	laneState?: LaneState;
	todos?: { content: string; status: string }[];
	/** How often each rule denied something here, and how often a person overrode it. */
	rules?: Record<string, { denied: number; overridden: number }>;
	counters: Counters;
	/** Events a minute, newest last, for the sparkline: `minute` is the last bucket's epoch minute. */
	activity: { minute: number; counts: number[] };
}
