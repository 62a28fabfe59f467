import { callKind, endedAgentKind, isTypedCommand, runsScript, wakesAgent } from '../agents/recorded-event.ts';
import type { EventOf, KnownEvent } from '../contract/events/event.ts';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import type {
	FileWork,
	PlanEdit,
	SessionView,
	SpawnsView,
	UnaskedAgent,
	WorkView,
} from '../contract/sessions/read-model/session-view.ts';
import { expectedAgents, GENERAL_AGENT, isActivePlan, openTasks, type RoutingPlan } from '../routing/routing-state.ts';
import { isRunning } from '../workflow/workflow-state.ts';
import { durationOf, holdOf, isOverridden, wasStopped } from './call.ts';
import { find, findCall } from './view.ts';

/** Names are agent text: their number is limited, so that a view stays small. */
const MOST = { tools: 30, files: 200, waits: 5 } as const;

const NOTHING: WorkView = { tools: [], files: [], moreFiles: 0, waits: [] };

export function foldWork(
	work: WorkView | undefined,
	before: CallView | undefined,
	after: CallView,
): WorkView | undefined {
	const isSame =
		before?.evidence === after.evidence &&
		before?.durationMs === after.durationMs &&
		before?.agentEnd === after.agentEnd &&
		before?.edit === after.edit &&
		before?.approval?.decidedAt === after.approval?.decidedAt;
	if (isSame) return work;
	const start = work ?? NOTHING;
	return {
		...withFile(start, before, after),
		tools: withTool(start.tools, before, after),
		waits: withWait(start.waits, before, after),
	};
}

const hasTried = (call: CallView | undefined): boolean => call?.evidence !== undefined;
const hasRun = (call: CallView | undefined): boolean => call?.evidence === 'ran';

function withTool(tools: WorkView['tools'], before: CallView | undefined, after: CallView): WorkView['tools'] {
	const calls = Number(hasTried(after)) - Number(hasTried(before));
	const timeOf = (call: CallView | undefined) => (call && hasTried(call) ? (durationOf(call) ?? 0) : 0);
	const ms = timeOf(after) - timeOf(before);
	if (calls === 0 && ms === 0) return tools;
	const known = tools.find(({ name }) => name === after.tool);
	if (!known && tools.length >= MOST.tools) return tools;
	const others = tools.filter((one) => one !== known);
	const sum = { name: after.tool, calls: (known?.calls ?? 0) + calls, ms: (known?.ms ?? 0) + ms };
	return [...others, sum].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A later outcome of a call undoes what the first one added. */
function withFile(work: WorkView, before: CallView | undefined, after: CallView): WorkView {
	const [was, is] = [hasRun(before) ? before?.edit : undefined, hasRun(after) ? after.edit : undefined];
	const edit = is ?? was;
	const by = Number(is !== undefined) - Number(was !== undefined);
	if (!edit || by === 0) return work;
	const known = work.files.find(({ path }) => path === edit.path);
	if (!known && work.files.length >= MOST.files) return { ...work, moreFiles: work.moreFiles + by };
	const file: FileWork = {
		path: edit.path,
		edits: (known?.edits ?? 0) + by,
		added: (known?.added ?? 0) + by * edit.added,
		removed: (known?.removed ?? 0) + by * edit.removed,
		...((known?.isMore || edit.isMore) && { isMore: true }),
	};
	const files = [...work.files.filter((one) => one !== known), ...(file.edits > 0 ? [file] : [])];
	return { ...work, files: files.sort((one, other) => (one.path < other.path ? -1 : 1)) };
}

function withWait(waits: WorkView['waits'], before: CallView | undefined, after: CallView): WorkView['waits'] {
	const hold = holdOf(after);
	if (!hold || before?.approval?.decidedAt === after.approval?.decidedAt) return waits;
	const wait = { row: `call:${after.toolUseId}`, title: `${after.tool} ${after.title}`, at: hold.from, ms: hold.ms };
	const all = [...waits.filter(({ row }) => row !== wait.row), wait];
	return all.sort((one, other) => other.ms - one.ms || (one.row < other.row ? -1 : 1)).slice(0, MOST.waits);
}

type Rules = SessionView['rules'];

/** Rule names come from timelines, so they are bounded. */
const MAX_RULES = 100;
const MAX_NAME = 100;

/** Counts the rules that kept a call from running, by difference, so that a repeated event never counts twice. */
export function countCallRules(rules: Rules, before: CallView | undefined, after: CallView): Rules {
	const was = callStatus(before);
	const is = callStatus(after);
	if (before?.verdicts === after.verdicts && was.stopped === is.stopped && was.overridden === is.overridden)
		return rules;
	const known = deniedBy(before);
	let counted = rules;
	for (const rule of deniedBy(after)) {
		const had = known.has(rule);
		const denied = Number(is.stopped) - Number(had && was.stopped);
		const overridden = Number(is.overridden) - Number(had && was.overridden);
		if (denied !== 0 || overridden !== 0) counted = addTo(counted, rule, denied, overridden);
	}
	return counted;
}

function callStatus(call: CallView | undefined): { stopped: boolean; overridden: boolean } {
	return { stopped: call !== undefined && wasStopped(call), overridden: call !== undefined && isOverridden(call) };
}

export function countRule(rules: Rules, rule: string): Rules {
	return addTo(rules, rule, 1, 0);
}

function deniedBy(call: CallView | undefined): Set<string> {
	const denials = call?.verdicts.filter(({ decision }) => decision === 'deny') ?? [];
	return new Set(denials.map(({ rule }) => rule));
}

function addTo(rules: Rules = {}, rule: string, denied: number, overridden: number): Rules {
	const known = Object.hasOwn(rules, rule) ? rules[rule] : undefined;
	const isNew = known === undefined;
	if (isNew && (rule === '__proto__' || rule.length > MAX_NAME || Object.keys(rules).length >= MAX_RULES)) return rules;
	const before = known ?? { denied: 0, overridden: 0 };
	return { ...rules, [rule]: { denied: before.denied + denied, overridden: before.overridden + overridden } };
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
