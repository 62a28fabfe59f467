import { callKind, hookPointOf } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type {
	IndexedEvent,
	LaneState,
	Moment,
	PlanEdit,
	SessionView,
	StageRun,
} from '../contract/sessions/read-model/session-view.ts';
import { expectedAgents, isActivePlan, openTasks, type RoutingPlan } from '../routing/routing-state.ts';
import { fieldText, oneLine } from '../text/printable.ts';
import { stageBase } from '../workflow/registry.ts';
import { spokenVerdicts } from '../workflow/verdict-comment.ts';
import { foldWorkflowState } from '../workflow/workflow-fold.ts';
import { findCall, isReviewing } from './call.ts';
import { isAgentOpen } from './fold-agents.ts';
import { isWorkflowLeft, stuckStage } from './workflow-progress.ts';

const SPARK_MINUTES = 30;

const CONTINUED: readonly unknown[] = ['resume', 'fork'];

/** The changes that any event makes to the view. Returns a copy with its own counters, which the fold then changes. */
export function foldProgress(view: SessionView, event: IndexedEvent): SessionView {
	const { prompting } = view;
	const answered = prompting && prompting.agentId === event.agentId && isActing(event);
	const next = answered ? unprompted(view) : { ...view };
	next.seq = event.seq;
	next.counters = { ...view.counters, events: view.counters.events + 1 };
	if (event.transcript !== undefined) next.transcript = transcriptOf(view, event, event.transcript);
	// Read from a transcript after it happened: not a sign of life.
	if (isReadLater(event)) return next;
	// Otherwise acknowledging a silence would end it.
	if (event.type.startsWith('alarm:')) return next;
	next.startedAt = !view.startedAt || event.ts < view.startedAt ? event.ts : view.startedAt;
	next.lastAt = event.ts;
	next.activity = countMinute(view.activity, Math.floor(Date.parse(event.ts) / 60_000));
	if (event.make !== undefined) next.agent = event.make;
	return view.project === undefined ? Object.assign(next, pick(event, ['project', 'cwd'])) : next;
}

/** A resumed or forked session that was not recorded before begins with lines of the earlier one. */
function transcriptOf(view: SessionView, event: IndexedEvent, path: string): SessionView['transcript'] {
	const isContinued = isKnown(event) && event.type === 'session:start' && CONTINUED.includes(event.source);
	const from = view.transcript?.from ?? (isContinued && view.startedAt === undefined ? event.ts : undefined);
	return { path, ...(from && { from }) };
}

/** Notices are about the actor, not by it; they do not answer its question. */
export function isActing(event: IndexedEvent): boolean {
	if (!isKnown(event)) return false;
	const silent = [
		...['session:notice', 'system:warning', 'system:gap', 'gate:verdict', 'routing:plan', 'todo:update'],
		...['alarm:acknowledge', 'alarm:snooze', 'note:add'],
	];
	const asking = event.type === 'hook:event' && hookPointOf(event) === 'permission';
	return !asking && !isReadLater(event) && !silent.includes(event.type);
}

function countMinute(activity: SessionView['activity'], minute: number): SessionView['activity'] {
	const ahead = minute - activity.minute;
	// After a jump of the clock the axis begins again instead of being stretched.
	if (ahead >= SPARK_MINUTES || ahead <= -SPARK_MINUTES) return { minute, counts: [1] };
	if (ahead > 0) {
		const counts = [...activity.counts, ...Array<number>(ahead).fill(0)].slice(-SPARK_MINUTES);
		return { minute, counts: [...counts.slice(0, -1), (counts.at(-1) ?? 0) + 1] };
	}
	const index = activity.counts.length - 1 + ahead;
	if (index < 0) return activity;
	return { minute: activity.minute, counts: activity.counts.with(index, (activity.counts[index] ?? 0) + 1) };
}

const reviving = new Set<KnownEvent['type']>([
	'session:start',
	'prompt:submit',
	'tool:call',
	'agent:start',
	'agent:delegate',
	'stage:start',
	'workflow:start',
]);

export function foldHead(view: SessionView, event: KnownEvent): SessionView {
	const alive = reviving.has(event.type) && (view.ended || view.lost) ? revived(view) : view;
	switch (event.type) {
		case 'session:start':
			return {
				...alive,
				...pick(event, ['project', 'cwd', 'branch', 'model', 'pid', 'reviewer']),
			};
		case 'prompt:submit': {
			const { failure: _failure, ...rest } = alive;
			const title = alive.title ?? (event.source === 'user' ? oneLine(fieldText(event.prompt), 120) : undefined);
			return {
				...rest,
				...pick(event, ['project', 'cwd']),
				...(title && { title }),
				turn: 'running',
				turnAt: event.ts,
				counters: { ...alive.counters, prompts: alive.counters.prompts + Number(event.source === 'user') },
			};
		}
		case 'tool:call': {
			const does = callKind(event);
			const asks = does === 'ask-person' || does === 'show-plan';
			const running =
				event.agentId === undefined && alive.turn === 'idle'
					? { ...alive, turn: 'running' as const, turnAt: event.ts }
					: alive;
			return asks ? { ...running, prompting: asking(event) } : running;
		}
		case 'message:show':
			return { ...alive, lastMessage: oneLine(spokenVerdicts(fieldText(event.text))) };
		case 'session:notice':
			return event.notice === 'permission_prompt' ? { ...alive, prompting: asking(event) } : alive;
		case 'hook:event':
			return foldHook(alive, event);
		case 'session:end':
			return { ...alive, turn: 'idle', ended: { at: event.ts, ...pick(event, ['reason']) } };
		case 'session:lost':
			return { ...alive, turn: 'idle', lost: { at: event.ts, ...pick(event, ['reason']) } };
		default:
			return alive;
	}
}

function foldHook(view: SessionView, event: Extract<KnownEvent, { type: 'hook:event' }>): SessionView {
	const point = hookPointOf(event);
	if (point === 'permission') return { ...view, prompting: asking(event) };
	if (event.agentId !== undefined) return view;
	if (point === 'turn-end' || point === 'interrupt') return { ...view, turn: 'idle', turnAt: event.ts };
	if (point === 'turn-failure') {
		return { ...view, turn: 'idle', turnAt: event.ts, failure: oneLine(fieldText(event.fields.error)) };
	}
	return view;
}

const asking = (event: KnownEvent): NonNullable<SessionView['prompting']> => ({
	at: event.ts,
	...(event.agentId !== undefined && { agentId: event.agentId }),
});

function unprompted(view: SessionView): SessionView {
	const { prompting: _prompting, ...rest } = view;
	return rest;
}

function revived(view: SessionView): SessionView {
	const { ended: _ended, lost: _lost, ...rest } = view;
	return rest;
}

/** Copies only keys that are set, so that a view never holds `undefined`. */
function pick<T extends object, K extends keyof T>(source: T, keys: readonly K[]): Partial<Pick<T, K>> {
	return Object.fromEntries(
		keys.filter((key) => source[key] !== undefined).map((key) => [key, source[key]]),
	) as Partial<Pick<T, K>>;
}

const sideEvents: ReadonlySet<string> = new Set(['model:usage', 'model:error', 'permission:decide']);

/** Whether an event is read from a transcript, after it happened. */
export function isReadLater({ type }: { type: string }): boolean {
	return sideEvents.has(type);
}

const KEEP = 200;

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
	// A verdict comes before the question that holds its call; a held call is not denied yet.
	const isHeld = after.counters.denials < before.counters.denials && event.type === 'approval:request';
	const known = (after.moments ?? []).filter((moment) => !isHeld || moment.what !== 'denial' || moment.row !== row);
	return { ...after, laneState: state, moments: [...known, ...moments].slice(-KEEP) };
}

/** A session that waits for a person comes before one under review, and both before one at work. */
function laneStateOf(view: SessionView): LaneState {
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

type WorkflowView = Pick<SessionView, 'workflow' | 'workflowLeftAt' | 'loop'>;

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
			// Only a start or an adopted file begins a workflow.
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

const MAX_KEPT = 20;
const UNWATCHED: Watched = { denied: [], edits: [] };

/**
 * Plan changes that let more agents start and may be the agent's own doing: its call wrote the file, or a denied agent is
 * expected now although no person spoke. The view is that before the event.
 */
export function foldPlanEdits(view: SessionView, event: KnownEvent): SessionView['planEdits'] {
	const { planEdits: before } = view;
	const { denied, edits } = before ?? UNWATCHED;
	switch (event.type) {
		case 'prompt:submit':
			return event.source === 'user' && denied.length > 0 ? { denied: [], edits } : before;
		case 'routing:mismatch':
			return { denied: [...denied.filter((one) => one !== event.actual), event.actual].slice(-MAX_KEPT), edits };
		case 'routing:plan': {
			const edit = editOf(view, denied, event);
			return edit ? { denied: [], edits: [...edits, edit].slice(-MAX_KEPT) } : before;
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

/** The agent's own call, ended before the plan was read again. One that starts an agent does not count: it marks the task itself. */
function isOwnCall({ calls }: SessionView, toolUseId: string | undefined): boolean {
	const call = toolUseId === undefined ? undefined : findCall(calls, toolUseId);
	return call?.evidence !== undefined && call.agentName === undefined;
}

const isEndedEarly = (plan: RoutingPlan): boolean => !isActivePlan(plan) && openTasks(plan).length > 0;
