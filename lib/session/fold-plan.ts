import { callKind, endedAgentKind, isTypedCommand, runsScript, wakesAgent } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type {
	PlanEdit,
	SessionView,
	SpawnsView,
	StageRun,
	UnaskedAgent,
} from '../contract/sessions/read-model/session-view.ts';
import { expectedAgents, GENERAL_AGENT, isActivePlan, openTasks, type RoutingPlan } from '../routing/routing-state.ts';
import { stageBase } from '../workflow/registry.ts';
import { foldWorkflowState } from '../workflow/workflow-fold.ts';
import { isRunning } from '../workflow/workflow-state.ts';
import { find, findCall } from './view.ts';

type WorkflowView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'loop'>;

/** Whether a workflow ended and a person has asked for something else since. */
export function isWorkflowLeft({ workflow, workflowLeftAt }: WorkflowView): boolean {
	const { ended } = workflow ?? {};
	return ended !== undefined && workflowLeftAt !== undefined && workflowLeftAt >= ended.at;
}

export function foldWorkflow(view: WorkflowView, event: KnownEvent): Partial<WorkflowView> | null {
	switch (event.type) {
		case 'prompt:submit':
			return event.source === 'user' && view.workflow?.ended && !isWorkflowLeft(view)
				? { workflowLeftAt: event.ts }
				: null;
		case 'loop:start':
		case 'loop:advance':
		case 'loop:complete':
			return { loop: foldLoop(view.loop, event) };
		default: {
			// Only these two begin a workflow.
			if (!view.workflow && event.type !== 'workflow:start' && event.type !== 'workflow:adopt') return null;
			const workflow = foldWorkflowState(view.workflow ?? null, event);
			return workflow && workflow !== view.workflow ? { workflow } : null;
		}
	}
}

function foldLoop(
	loop: SessionView['loop'],
	event: EventOf<'loop:start' | 'loop:advance' | 'loop:complete'>,
): SessionView['loop'] {
	switch (event.type) {
		case 'loop:start':
			return { iteration: 0 };
		case 'loop:advance':
			return {
				iteration: event.iteration,
				...(event.progress && { progress: event.progress }),
				...(event.tasks && { tasks: event.tasks }),
			};
		case 'loop:complete': {
			const iteration = event.iteration ?? loop?.iteration ?? 0;
			return { ...loop, iteration, endedAt: event.ts, ...(event.reason && { reason: event.reason }) };
		}
	}
}

const KEPT_RUNS = 200;

const NONE: readonly StageRun[] = [];

export function foldStageRuns(runs: readonly StageRun[] = NONE, event: KnownEvent): readonly StageRun[] {
	switch (event.type) {
		case 'stage:start':
			return begin(runs, event.stage, Date.parse(event.ts));
		case 'agent:delegate': {
			// Overtone itself writes no stage:start, and names the base stage only.
			const { stage } = event;
			const isRunning = (run: StageRun) => run.to === null && stageBase(run.stage) === stageBase(stage ?? '');
			return stage && !runs.some(isRunning) ? begin(runs, stage, Date.parse(event.ts)) : runs;
		}
		case 'stage:complete':
			// Without a spoken verdict the result is not known.
			return complete(runs, event.stage, event.source === 'none' ? 'unclear' : event.result, Date.parse(event.ts));
		case 'workflow:complete':
		case 'workflow:abort':
		case 'session:end':
			return runs.some(({ to }) => to === null)
				? runs.map((run) => (run.to === null ? { ...run, to: Math.max(run.from, Date.parse(event.ts)) } : run))
				: runs;
		default:
			return runs;
	}
}

export function runsAt(runs: readonly StageRun[], instant: number): StageRun[] {
	return runs
		.filter(({ from }) => from <= instant)
		.map((run) => (run.to === null || run.to <= instant ? run : { stage: run.stage, from: run.from, to: null }));
}

function begin(runs: readonly StageRun[], stage: string, from: number): readonly StageRun[] {
	const isRunning = runs.some((run) => run.to === null && run.stage === stage);
	return isRunning ? runs : [...runs, { stage, from, to: null }].slice(-KEPT_RUNS);
}

function complete(
	runs: readonly StageRun[],
	stage: string,
	result: string | undefined,
	at: number,
): readonly StageRun[] {
	const running = (key: string) => runs.findIndex((run) => run.to === null && run.stage === key);
	const own = running(stage);
	const index = own === -1 ? running(stageBase(stage)) : own;
	const from = runs[index]?.from ?? at;
	const run: StageRun = { stage, from, to: Math.max(from, at), ...(result && { result }) };
	return index === -1 ? [...runs, run].slice(-KEPT_RUNS) : runs.with(index, run);
}

type Watched = NonNullable<SessionView['planEdits']>;

const MOST_KEPT = 20;
const UNWATCHED: Watched = { denied: [], edits: [] };

/**
 * Changes that let a plan expect more agents and that the agent itself may have made: its own call wrote the file, or
 * an agent just denied is expected although no person spoke since. The view is that before the event.
 */
export function foldPlanEdits(view: SessionView, event: KnownEvent): SessionView['planEdits'] {
	const { planEdits: before } = view;
	const { denied, edits } = before ?? UNWATCHED;
	switch (event.type) {
		case 'prompt:submit':
			return event.source === 'user' && denied.length > 0 ? { denied: [], edits } : before;
		case 'routing:mismatch':
			return { denied: [...denied.filter((one) => one !== event.actual), event.actual].slice(-MOST_KEPT), edits };
		case 'routing:plan': {
			const edit = editOf(view, denied, event);
			return edit ? { denied: [], edits: [...edits, edit].slice(-MOST_KEPT) } : before;
		}
		default:
			return before;
	}
}

function editOf(view: SessionView, denied: readonly string[], event: EventOf<'routing:plan'>): PlanEdit | null {
	const { id, planId, ts: at } = event;
	const expected = isActivePlan(event) ? expectedAgents(event) : [];
	const after = denied.filter((agent) => expected.includes(agent));
	if (after.length > 0) return { id, planId, at, agents: after, how: 'after-denial' };
	if (!view.plan || !isActivePlan(view.plan) || !isOwnCall(view, event.toolUseId)) return null;
	const known = expectedAgents(view.plan);
	const agents = expected.filter((agent) => !known.includes(agent));
	const isLooser = agents.length > 0 || view.plan.planId !== planId || isEndedEarly(event);
	return isLooser ? { id, planId, at, agents, how: 'own-call' } : null;
}

/** Its own call has ended, and the plan was read again. A call that starts an agent marks the task itself. */
function isOwnCall({ calls }: SessionView, toolUseId: string | undefined): boolean {
	const call = toolUseId === undefined ? undefined : findCall(calls, toolUseId);
	return call?.evidence !== undefined && call.agentName === undefined;
}

const isEndedEarly = (plan: RoutingPlan): boolean => !isActivePlan(plan) && openTasks(plan).length > 0;

const COPY = 'fork';
const MOST_NAMES = 200;
/** A script may start any number of agents. */
const AS_MANY_AS_IT_LIKES = 1000;

function isBeginning({ agents, counters }: SessionView, event: KnownEvent): boolean {
	return event.type === 'session:start' && event.source === 'startup' && counters.calls === 0 && agents.length === 0;
}

const isScript = ({ calls }: SessionView, toolUseId: string): boolean =>
	runsScript(findCall(calls, toolUseId)?.tool ?? '');

function withDue(spawns: SpawnsView, agent: string, isScripted: boolean): SpawnsView {
	const { due, dueAny } = spawns;
	if (isScripted) return { ...spawns, dueAny: dueAny + AS_MANY_AS_IT_LIKES };
	const isNamed = Object.hasOwn(due, agent);
	if (!isNamed && Object.keys(due).length >= MOST_NAMES) return { ...spawns, dueAny: dueAny + 1 };
	return { ...spawns, due: { ...due, [agent]: (isNamed ? (due[agent] ?? 0) : 0) + 1 } };
}

function withoutDue(spawns: SpawnsView, appeared: UnaskedAgent): SpawnsView {
	const { due, dueAny } = spawns;
	// Without a type the client may start a copy of the main agent.
	const names = appeared.agent === COPY ? [COPY, GENERAL_AGENT] : [appeared.agent];
	const name = names.find((one) => Object.hasOwn(due, one));
	if (name !== undefined) {
		const { [name]: left = 0, ...others } = due;
		return { ...spawns, due: left > 1 ? { ...others, [name]: left - 1 } : others };
	}
	if (dueAny > 0) return { ...spawns, dueAny: dueAny - 1 };
	return withUnasked(spawns, appeared);
}

function withUnasked(spawns: SpawnsView, { agentId, agent, at }: UnaskedAgent): SpawnsView {
	if (spawns.unasked.some((one) => one.agentId === agentId)) return spawns;
	return { ...spawns, unasked: [...spawns.unasked, { agentId, agent, at }].slice(-MOST_KEPT) };
}

/** The hook found an end of an agent that never started. */
function postedEnd(event: EventOf<'hook:event'>): UnaskedAgent | null {
	const { agentId, ts: at } = event;
	const agent = endedAgentKind(event);
	return agent === null || agentId === undefined ? null : { agentId, agent, at };
}

function withElsewhere(spawns: SpawnsView, event: KnownEvent, view: SessionView): SpawnsView {
	return isElsewhere(event, view) ? { ...spawns, dueAny: spawns.dueAny + 1 } : spawns;
}

function isLed({ plan, workflow }: SessionView): boolean {
	return (plan !== undefined && isActivePlan(plan)) || isRunning(workflow);
}

/** Agents that the client may start without a call of this session. */
function isElsewhere(event: KnownEvent, view: SessionView): boolean {
	// A slash command that a person typed may be a skill with an agent.
	if (event.type === 'hook:event') return isTypedCommand(event);
	if (event.type !== 'tool:call') return false;
	// A plugin's skill may have an agent that the hook cannot read; under a plan it is declared.
	if (callKind(event) === 'use-skill') return !isLed(view);
	// A message may wake an agent of the session that this one was forked from.
	const to = wakesAgent(event);
	return to !== undefined && !find(view.agents, 'agentId', to);
}

/**
 * Counts due agents by name, since nothing ties a start to its call; only for sessions watched from their first
 * start. The view is that before the event.
 */
export function foldSpawns(view: SessionView, event: KnownEvent): SpawnsView | undefined {
	const { spawns } = view;
	if (!spawns) return isBeginning(view, event) ? { due: {}, dueAny: 0, unasked: [] } : undefined;
	switch (event.type) {
		case 'agent:delegate':
			return event.toolUseId ? withDue(spawns, event.agent, isScript(view, event.toolUseId)) : spawns;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error':
			if (event.agentId === undefined || find(view.agents, 'agentId', event.agentId)) return spawns;
			return withoutDue(spawns, { agentId: event.agentId, agent: event.agent, at: event.ts });
		case 'hook:event': {
			const ended = postedEnd(event);
			return ended ? withUnasked(spawns, ended) : withElsewhere(spawns, event, view);
		}
		default:
			return withElsewhere(spawns, event, view);
	}
}
