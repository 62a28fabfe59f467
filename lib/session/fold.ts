import type { EventOf, KnownEvent, TimelineEvent } from '../contract/events/event.ts';
import { isKnown } from '../contract/events/event-labels.ts';
import type { CallView, ClosedWhy } from '../contract/sessions/read-model/call-view.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type {
	AgentView,
	AlarmView,
	Counters,
	HandledAlarm,
	IndexedEvent,
	SessionView,
} from '../contract/sessions/read-model/session-view.ts';
import { oneLine } from '../text/printable.ts';
import { foldUsage } from '../usage/usage-totals.ts';
import { alarmOf, deniedButRan, find, findCall, isCallOpen, isOverridden, outcomeOf, wasStopped } from './call.ts';
import { agentKeyOf, endedBy, foldAgent, foldSpawns, isAgentOpen } from './fold-agents.ts';
import { approvalHead, cutOffReviews, foldApproval, foldSupervisor } from './fold-approval.ts';
import { type CallEvent, callRow, closeCall, countCallRules, countRule, foldCall, foldWork } from './fold-call.ts';
import { foldHead, foldMoments, foldPlanEdits, foldProgress, foldStageRuns, foldWorkflow } from './fold-head.ts';
import { eventRow } from './row.ts';

const KEEP = { calls: 40, agents: 30, approvals: 20, mismatches: 50 } as const;

export interface Folded {
	view: SessionView;
	rows: Row[];
}

/** The view before any event. */
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

interface Draft {
	/** Written to in place: copying a view again costs as much as the rest of the fold. */
	view: SessionView;
	readonly rows: Map<string, Row>;
	readonly rowOf: (key: string) => Row | undefined;
}

/**
 * The one fold: for live sessions, catch-up, replay, archives and tests. Pure; never throws. The order of the events of one call,
 * agent, stage or approval does not matter. `rowOf` is called only for calls that the view no longer has.
 */
export function fold(view: SessionView, event: IndexedEvent, rowOf: (key: string) => Row | undefined): Folded {
	if (event.seq <= view.seq) return { view, rows: [] };
	const key = rowKeyOf(view, event);
	const draft: Draft = { view: foldProgress(view, event), rows: new Map(), rowOf };
	if (!isKnown(event)) draft.rows.set(key, eventRow(event));
	else if (event.unverified) {
		draft.rows.set(key, eventRow(event));
		count(draft, { unverified: 1 });
	} else foldKnown(draft, event, key);
	const after = foldMoments(view, draft.view, event, key);
	return { view: bounded(after), rows: [...draft.rows.values()] };
}

/** The row that an event belongs to; needs the view before the event. */
export function rowKeyOf(view: Pick<SessionView, 'agents'>, event: IndexedEvent | TimelineEvent): string {
	if (!isKnown(event) || ('unverified' in event && event.unverified)) return `event:${event.id}`;
	switch (event.type) {
		case 'tool:call':
		case 'tool:result':
		case 'tool:error':
		case 'gate:verdict':
		case 'routing:mismatch':
		case 'agent:delegate':
		// A line of another program may belong to no call.
		case 'command:run':
		case 'command:block':
		case 'grant:use':
		case 'permission:decide':
			return event.toolUseId ? `call:${event.toolUseId}` : `event:${event.id}`;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error': {
			const call = event.toolUseId ?? find(view.agents, 'agentId', event.agentId)?.toolUseId;
			return call ? `call:${call}` : `event:${event.id}`;
		}
		case 'approval:request':
		case 'approval:resolve':
		case 'approval:expire':
		case 'approval:abandon':
		case 'approval:late':
			return event.toolUseId ? `call:${event.toolUseId}` : `approval:${event.approvalId}`;
		default:
			return `event:${event.id}`;
	}
}

function foldKnown(draft: Draft, event: KnownEvent & { seq: number }, key: string): void {
	if (event.type === 'tool:call') foldBeginning(draft, event);
	else foldSurroundings(draft, event);
	foldDetails(draft, event);
	if (key.startsWith('call:')) {
		// An id cut from the key is a sliced string, which V8 compares slowly with every id of the view.
		const id = event.toolUseId || key.slice('call:'.length);
		setCall(draft, id, (call) => foldCall(call, id, event as CallEvent & { seq: number }));
	} else if (key.startsWith('approval:')) setApproval(draft, event as ApprovalOnly, key);
	else draft.rows.set(key, eventRow(event));
}

/** The most frequent event has a shortcut: a call that begins ends nothing and changes no workflow, stage or plan. */
function foldBeginning(draft: Draft, event: Extract<KnownEvent, { type: 'tool:call' }> & { seq: number }): void {
	const { spawns } = draft.view;
	const after = spawns && foldSpawns(draft.view, event);
	draft.view = foldHead(draft.view, event);
	if (after !== spawns) draft.view = { ...draft.view, ...(after && { spawns: after }) };
}

function foldSurroundings(draft: Draft, event: KnownEvent & { seq: number }): void {
	const closing = endedBy(draft.view, event);
	for (const agentId of closing.agents) closeAgent(draft, agentId, event.ts, closing.why);
	for (const id of closing.calls) setCall(draft, id, (call) => call && closeCall(call, event.ts, closing));

	const workflow = foldWorkflow(draft.view, event);
	const head = foldHead(draft.view, event);
	const spawns = foldSpawns(draft.view, event);
	const planEdits = foldPlanEdits(draft.view, event);
	const stageRuns = foldStageRuns(draft.view.stageRuns, event);
	draft.view = workflow ? { ...head, ...workflow } : head;
	if (spawns !== draft.view.spawns) draft.view = { ...draft.view, ...(spawns && { spawns }) };
	if (stageRuns.length > 0 && stageRuns !== draft.view.stageRuns) draft.view = { ...draft.view, stageRuns };
	if (planEdits !== draft.view.planEdits) draft.view = { ...draft.view, ...(planEdits && { planEdits }) };
}

type ApprovalOnly = Parameters<typeof foldApproval>[1] & { seq: number };

function setApproval(draft: Draft, event: ApprovalOnly, key: string): void {
	const before = find(draft.view.approvals, 'approvalId', event.approvalId);
	const approval = foldApproval(before, event);
	draft.view = { ...draft.view, approvals: withEntry(draft.view.approvals, before, approval) };
	const earlier = draft.rowOf(key);
	draft.rows.set(key, {
		...eventRow(event),
		...(earlier && { seq: earlier.seq, at: earlier.at }),
		key,
		...approvalHead(approval),
	});
}

function foldDetails(draft: Draft, event: KnownEvent & { seq: number }): void {
	switch (event.type) {
		case 'agent:delegate':
			// Our lines name the call; a line of another program is about the agent itself.
			if (!event.toolUseId) setAgent(draft, event);
			break;
		case 'agent:start':
		case 'agent:complete':
		case 'agent:error':
			setAgent(draft, event);
			break;
		case 'tool:result':
			bindAgent(draft, event);
			break;
		case 'tool:call':
			countCallOf(draft, event.agentId);
			break;
		case 'routing:plan': {
			const { planId, status, phases, ts: at, seq } = event;
			draft.view = { ...draft.view, plan: { planId, status, phases, at, seq } };
			break;
		}
		case 'routing:mismatch':
			addMismatch(draft, event);
			break;
		case 'supervisor:review':
		case 'supervisor:verdict':
			draft.view = { ...draft.view, supervisor: foldSupervisor(draft.view.supervisor, event) };
			break;
		case 'session:end':
		case 'session:lost':
			draft.view = { ...draft.view, supervisor: cutOffReviews(draft.view.supervisor, event.ts) };
			break;
		case 'gate:verdict':
			if (!event.toolUseId && event.decision === 'deny') setRules(draft, countRule(draft.view.rules, event.rule));
			break;
		case 'model:usage':
			draft.view = { ...draft.view, usage: foldUsage(draft.view.usage, event) };
			break;
		case 'supervisor:switch':
			draft.view = { ...draft.view, supervisorSwitches: (draft.view.supervisorSwitches ?? 0) + 1 };
			break;
		case 'validator:assessment': {
			const { validator, allowed, rating, reasoning, ts: at } = event;
			const judgement = { ...(rating && { rating }), ...(reasoning && { reasoning: oneLine(reasoning) }) };
			draft.view = { ...draft.view, assessment: { validator, allowed, at, row: `event:${event.id}`, ...judgement } };
			break;
		}
		case 'alarm:acknowledge':
		case 'alarm:snooze':
			draft.view = { ...draft.view, handled: foldHandled(draft.view.handled, event) };
			break;
		case 'todo:update':
			draft.view = { ...draft.view, todos: event.todos.map(({ content, status }) => ({ content, status })) };
			break;
		default:
			count(draft, increments(event));
	}
}

function addMismatch(draft: Draft, event: Extract<KnownEvent, { type: 'routing:mismatch' }> & { seq: number }): void {
	const { planId, actual, expected, ts: at, seq, toolUseId } = event;
	const mismatch = { planId, actual, expected, at, seq, outcome: 'running' as const, ...(toolUseId && { toolUseId }) };
	draft.view = { ...draft.view, mismatches: [...draft.view.mismatches, mismatch].slice(-KEEP.mismatches) };
	count(draft, { mismatches: 1 });
}

/** The index drops repeated ids before the fold sees them. */
function increments(event: KnownEvent): Partial<Counters> {
	switch (event.type) {
		case 'stage:retry':
			return { retries: event.retroCount === undefined ? 1 : 0 };
		case 'stage:complete':
			return {
				fails: event.result === 'fail' ? 1 : 0,
				rejects: event.result === 'reject' ? 1 : 0,
				unclear: event.source === 'none' ? 1 : 0,
			};
		case 'command:block':
			return { denials: event.toolUseId ? 0 : 1 };
		case 'system:warning':
			return { warnings: 1 };
		case 'system:gap':
			return { gaps: 1 };
		default:
			return {};
	}
}

function setAgent(draft: Draft, event: Parameters<typeof foldAgent>[1]): void {
	const before = find(draft.view.agents, 'agentId', agentKeyOf(event));
	const agent = foldAgent(before, event);
	const resumed = event.type === 'agent:start' && agent.closed !== undefined && event.ts >= agent.closed.at;
	const { closed: _closed, ...open } = agent;
	const now = withItsCall(draft, resumed ? open : agent);
	draft.view = { ...draft.view, agents: withEntry(draft.view.agents, before, now) };
}

/** The result of a background agent's call may come before the agent's start. */
function withItsCall(draft: Draft, agent: AgentView): AgentView {
	if (agent.toolUseId) return agent;
	const call = draft.view.calls.find(({ startedAgentId }) => startedAgentId === agent.agentId);
	return call ? { ...agent, toolUseId: call.toolUseId, ...(call.background && { background: true }) } : agent;
}

/** The call's result is the only link to its agent that always comes. */
function bindAgent(draft: Draft, event: Extract<KnownEvent, { type: 'tool:result' }>): void {
	if (!event.startedAgentId || !event.toolUseId) return;
	const agent = find(draft.view.agents, 'agentId', event.startedAgentId);
	if (!agent) return;
	const bound: AgentView = {
		...agent,
		toolUseId: event.toolUseId,
		...(event.background && { background: true as const }),
	};
	draft.view = { ...draft.view, agents: withEntry(draft.view.agents, agent, bound) };
	const at = agent.endedAt;
	if (at === undefined) return;
	setCall(draft, event.toolUseId, (call) => {
		const end = { at, ...(agent.result && { result: agent.result }), ...(agent.error && { error: agent.error }) };
		return call && { ...call, agentEnd: call.agentEnd ?? end };
	});
}

function countCallOf(draft: Draft, agentId: string | undefined): void {
	const agent = agentId === undefined ? undefined : find(draft.view.agents, 'agentId', agentId);
	if (!agent) return;
	const counted = { ...agent, calls: agent.calls + 1 };
	draft.view = { ...draft.view, agents: withEntry(draft.view.agents, agent, counted) };
}

function closeAgent(draft: Draft, agentId: string, at: string, why: ClosedWhy): void {
	const agent = find(draft.view.agents, 'agentId', agentId);
	if (!agent) return;
	draft.view = { ...draft.view, agents: withEntry(draft.view.agents, agent, { ...agent, closed: { at, why } }) };
}

/** Replaces a call everywhere: record, row, approvals, mismatches and counters. */
function setCall(draft: Draft, id: string, change: (before: CallView | undefined) => CallView | undefined): void {
	const before = findCall(draft.view.calls, id) ?? draft.rowOf(`call:${id}`)?.call;
	const call = change(before);
	if (!call || call === before) return;
	const { view } = draft;
	view.calls = withEntry(view.calls, before, call);
	if (call.approval) {
		const shown = find(view.approvals, 'approvalId', call.approval.approvalId);
		view.approvals = withEntry(view.approvals, shown, call.approval);
	}
	if (call.mismatch) {
		view.mismatches = view.mismatches.map((item) => (item.toolUseId === id ? withCall(item, call) : item));
	}
	const alarms = foldCallAlarm(view.alarms, call);
	if (alarms !== view.alarms && alarms) view.alarms = alarms;
	const work = foldWork(view.work, before, call);
	if (work && work !== view.work) view.work = work;
	draft.rows.set(`call:${id}`, callRow(call));
	count(draft, difference(before, call));
	setRules(draft, countCallRules(view.rules, before, call));
}

function setRules(draft: Draft, rules: SessionView['rules']): void {
	if (rules !== draft.view.rules) draft.view = { ...draft.view, ...(rules && { rules }) };
}

function withCall(mismatch: SessionView['mismatches'][number], call: CallView) {
	const { approval, grant } = call;
	return { ...mismatch, outcome: outcomeOf(call), ...(approval && { approval }), ...(grant && { grant }) };
}

/** Counts by difference, so that a repeated or late event never counts twice. */
function difference(before: CallView | undefined, after: CallView): Partial<Counters> {
	const change = (test: (call: CallView) => boolean) => Number(test(after)) - Number(before ? test(before) : false);
	return {
		calls: change((call) => call.calledAt !== undefined),
		errors: change((call) => call.evidence === 'failed'),
		denials: change(wasStopped),
		overrides: change(isOverridden),
		deniedButRan: change(deniedButRan),
		alarms: change((call) => alarmOf(call) !== undefined),
	};
}

function count({ view: { counters } }: Draft, changes: Partial<Counters>): void {
	for (const name of Object.keys(changes) as (keyof Counters)[]) counters[name] += changes[name] ?? 0;
}

function bounded(view: SessionView): SessionView {
	const calls = trim(view.calls, isCallOpen, KEEP.calls);
	const agents = trim(view.agents, isAgentOpen, KEEP.agents);
	const approvals = trim(view.approvals, (approval) => approval.state === 'waiting', KEEP.approvals);
	const isWithinBounds = calls === view.calls && agents === view.agents && approvals === view.approvals;
	return isWithinBounds ? view : { ...view, calls, agents, approvals };
}

const KEPT_ALARMS = 20;

function foldCallAlarm(alarms: readonly AlarmView[] | undefined, call: CallView): readonly AlarmView[] | undefined {
	const key = `call:${call.toolUseId}`;
	const kind = alarmOf(call);
	const before = alarms && find(alarms, 'key', key);
	if (!kind) return before ? alarms.filter((alarm) => alarm !== before) : alarms;
	const at = call.endedAt ?? call.closed?.at ?? call.at;
	const cause = oneLine(`${call.tool} ${call.title}`, 160);
	if (before?.kind === kind && before.at === at && before.cause === cause) return alarms;
	return withEntry(alarms ?? [], before, { key, kind, at, cause }).slice(-KEPT_ALARMS);
}

/** Of two changes of one alarm the later one counts, whichever is folded first. */
function foldHandled(
	handled: readonly HandledAlarm[] | undefined,
	event: EventOf<'alarm:acknowledge' | 'alarm:snooze'>,
): readonly HandledAlarm[] {
	const { alarm: key, ts: at } = event;
	const before = handled && find(handled, 'key', key);
	if (before && before.at > at) return handled;
	const after = { key, at, ...(event.type === 'alarm:snooze' && { until: event.until }) };
	return withEntry(handled ?? [], before, after).slice(-KEPT_ALARMS);
}

function withEntry<T>(list: readonly T[], before: T | undefined, entry: T): T[] {
	// By identity: comparing ids costs more than all else that a new call changes in the view.
	const index = before === undefined ? -1 : list.lastIndexOf(before);
	return index === -1 ? [...list, entry] : list.with(index, entry);
}

/**
 * Keeps the newest `keep` open entries and as many closed ones; trimmed rarely, so that the cost is spread. Open ones are limited
 * too: no timeline may make a view grow without end.
 */
function trim<T>(list: T[], isOpen: (entry: T) => boolean, keep: number): T[] {
	if (list.length <= keep * 3) return list;
	const open = list.filter(isOpen).slice(-keep);
	const closed = list.filter((entry) => !isOpen(entry)).slice(-keep);
	const kept = new Set([...open, ...closed]);
	return list.filter((entry) => kept.has(entry));
}
