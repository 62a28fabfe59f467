import type { KnownEvent } from '../contract/events/event.ts';
import type {
	ActiveAgent,
	StageState,
	Verdict,
	WorkflowState,
} from '../contract/sessions/read-model/workflow-state.ts';
import { isHelper, stageForAgent } from './next-step.ts';
import { worseVerdict } from './parse-verdict.ts';
import {
	freshStages,
	MAX_FEATURE,
	MAX_REASON,
	MAX_STAGES,
	MAX_TYPE,
	readResult,
	readSource,
	readWorkflowState,
} from './read-workflow-state.ts';
import { stageBase } from './registry.ts';
import { agentOfKey, isBadResult, keysOfBase, partialOf, stageOf } from './workflow-state.ts';

const MAX_ATTEMPTS = 50;

/**
 * The fold behind workflow.json; pure, so that a checkpoint is repaired by folding what it lacks. Unknown stages change nothing.
 */
export function foldWorkflowState(state: WorkflowState | null, event: KnownEvent): WorkflowState | null {
	if (event.type === 'workflow:start') return started(event);
	if (event.type === 'workflow:adopt') {
		const adopted = event.file === 'workflow.json' ? readWorkflowState(event.state, event.sessionId) : null;
		return adopted ? withCurrent(adopted) : state;
	}
	if (state && event.type === 'workflow:resume') return withCurrent(resumed(state));
	if (!state || state.ended) return state;
	const next = foldRunning(state, event);
	return next === state ? state : withCurrent(next);
}

function started(event: Extract<KnownEvent, { type: 'workflow:start' }>): WorkflowState {
	const workflowType = event.workflowType.slice(0, MAX_TYPE);
	const stages = freshStages(workflowType, event.stages);
	return {
		sessionId: event.sessionId,
		workflowType,
		createdAt: event.ts,
		currentStage: Object.keys(stages)[0] ?? null,
		stages,
		activeAgents: {},
		failCount: 0,
		rejectCount: 0,
		retroCount: 0,
		...(event.featureName && { featureName: event.featureName.slice(0, MAX_FEATURE) }),
	};
}

function foldRunning(state: WorkflowState, event: KnownEvent): WorkflowState {
	switch (event.type) {
		case 'specs:init':
			return event.featureName ? { ...state, featureName: event.featureName.slice(0, MAX_FEATURE) } : state;
		case 'stage:start':
			return withStage(state, event.stage, (stage) => withStart(stage, event.ts));
		case 'stage:complete':
			return completed(state, event);
		case 'stage:retry':
			// Older versions recorded every ISSUES as a retry with this count, before anybody repeated it.
			if (event.retroCount !== undefined) return state;
			return withStage(state, event.stage, (stage) => reopened(stage, event.reason));
		case 'agent:delegate':
			return event.stage ? delegated(state, event, event.stage) : state;
		case 'agent:start':
			return event.agentId ? bindActive(state, { ...event, agentId: event.agentId }) : state;
		case 'tool:result':
			return event.startedAgentId && event.toolUseId
				? launched(state, event.startedAgentId, event.toolUseId, event.background === true)
				: state;
		case 'agent:complete':
			return helped(agentEnded(state, event, verdictOf(event)), event);
		case 'agent:error':
			return agentEnded(state, event, null);
		case 'tool:error':
			return event.toolUseId ? agentEnded(state, { toolUseId: event.toolUseId }, null) : state;
		case 'parallel:start':
			return withGroup(state, event.group, (before) => ({
				...(event.stages && { stages: event.stages.slice(0, MAX_STAGES) }),
				...(before ?? { startedAt: event.ts }),
			}));
		case 'parallel:converge':
			return withGroup(state, event.group, (before) => ({ startedAt: event.ts, ...before, convergedAt: event.ts }));
		case 'error:fatal':
			return { ...state, fatal: { at: event.ts, reason: event.reason.slice(0, MAX_REASON) } };
		case 'workflow:pause':
			return { ...state, paused: { at: event.ts } };
		case 'workflow:complete':
			return { ...unpaused(state), activeAgents: {}, ended: { at: event.ts, how: 'complete' } };
		case 'workflow:abort': {
			const reason = event.reason ? { reason: event.reason.slice(0, MAX_REASON) } : {};
			return { ...unpaused(state), activeAgents: {}, ended: { at: event.ts, how: 'abort', ...reason } };
		}
		default:
			return state;
	}
}

function unpaused({ paused: _paused, ...state }: WorkflowState): WorkflowState {
	return state;
}

/** After a pause as it is; after a limit or an abort passed stages stay, the others open again and bad results count from 0. */
function resumed(state: WorkflowState): WorkflowState {
	if (state.ended?.how === 'complete') return state;
	const { fatal, ended, unclearCount: _count, ...rest } = unpaused(state);
	if (!fatal && !ended) return unpaused(state);
	const worked = new Set(Object.values(state.activeAgents).map(({ stage }) => stage));
	const open = (key: string, stage: StageState): StageState => {
		const isCutOff = stage.status === 'active' && !worked.has(key);
		return isCutOff || (stage.status === 'completed' && isBadResult(stage.result))
			? reopened(stage, stage.again)
			: stage;
	};
	const stages = Object.fromEntries(Object.entries(state.stages).map(([key, stage]) => [key, open(key, stage)]));
	return { ...rest, stages, failCount: 0, rejectCount: 0, retroCount: 0 };
}

function withStage(state: WorkflowState, key: string, change: (stage: StageState) => StageState): WorkflowState {
	const stage = stageOf(state, key);
	return stage ? { ...state, stages: { ...state.stages, [key]: change(stage) } } : state;
}

/** A second agent that joins keeps what the first has found. */
function withStart(stage: StageState, startedAt: string): StageState {
	if (stage.status === 'active') return stage;
	const { partial: _old, partialSource: _its, source: _last, ...rest } = stage;
	return { ...rest, status: 'active', result: null, startedAt };
}

function completed(state: WorkflowState, event: Extract<KnownEvent, { type: 'stage:complete' }>): WorkflowState {
	if (!stageOf(state, event.stage)) return state;
	const { result, source } = verdictOf(event) ?? { result: null, source: 'none' };
	const next = withStage(
		state,
		event.stage,
		({ partial: _partial, partialSource: _its, again: _again, source: _last, ...stage }) => ({
			...stage,
			status: 'completed',
			result,
			completedAt: event.ts,
			...(source && { source }),
			attempts: [...(stage.attempts ?? []), source === 'none' || result === null ? 'unclear' : result].slice(
				-MAX_ATTEMPTS,
			),
		}),
	);
	return {
		...next,
		failCount: state.failCount + (result === 'fail' ? 1 : 0),
		rejectCount: state.rejectCount + (result === 'reject' ? 1 : 0),
		retroCount: state.retroCount + (result === 'issues' ? 1 : 0),
		...(result === 'unclear' && { unclearCount: (state.unclearCount ?? 0) + 1 }),
	};
}

/** FAIL and REJECT reopen a stage. After ISSUES it stays completed, or the workflow could never end. */
function reopened({ again: _old, ...stage }: StageState, reason: string | undefined): StageState {
	const counted = {
		...stage,
		retries: (stage.retries ?? 0) + 1,
		...(reason && { again: reason.slice(0, MAX_REASON) }),
	};
	return stage.result === 'issues' ? counted : { ...counted, status: 'pending', result: null };
}

function delegated(
	state: WorkflowState,
	event: Extract<KnownEvent, { type: 'agent:delegate' }>,
	named: string,
): WorkflowState {
	const key = keyOfNamed(state, event.agent, named);
	if (key === undefined) return state;
	const begunStage = withStage(state, key, (stage) => withStart(stage, event.ts));
	return withActive(begunStage, event.agent, {
		stage: key,
		startedAt: event.ts,
		...(event.toolUseId && { toolUseId: event.toolUseId }),
		...(event.background && { background: true }),
	});
}

/** Overtone names only the base stage: its first one that is not completed is meant. */
function keyOfNamed(state: WorkflowState, agent: string, named: string): string | undefined {
	const exact = stageOf(state, named);
	if (exact && exact.status !== 'completed') return named;
	const open = keysOfBase(state, stageBase(named)).find((key) => stageOf(state, key)?.status !== 'completed');
	return open ?? (exact ? named : stageForAgent(state, agent));
}

/** Some clients report a background agent only with the result of its call. */
function launched(state: WorkflowState, agentId: string, toolUseId: string, background: boolean): WorkflowState {
	const bound = bindActive(state, { agentId, toolUseId });
	const [key, active] = Object.entries(bound.activeAgents).find(([, one]) => one.toolUseId === toolUseId) ?? [];
	if (!background || key === undefined || !active || active.background) return bound;
	return { ...bound, activeAgents: { ...bound.activeAgents, [key]: { ...active, background } } };
}

function agentEnded(
	state: WorkflowState,
	clue: { agent?: string; agentId?: string; toolUseId?: string; stage?: string },
	verdict: Verdict | null,
): WorkflowState {
	const key = findActive(state, clue);
	const stage = (key === undefined ? undefined : state.activeAgents[key]?.stage) ?? clue.stage;
	const gone = key === undefined ? state : withoutActive(state, key, clue);
	if (stage === undefined) return gone;
	if (verdict === null) return reopenIfIdle(gone, stage);
	return withStage(gone, stage, (one) => (one.status === 'active' ? withPartial(one, verdict) : one));
}

function withPartial(stage: StageState, verdict: Verdict): StageState {
	const { result: partial, source } = worseVerdict(partialOf(stage), verdict);
	const { partialSource: _old, ...rest } = stage;
	return { ...rest, partial, ...(source && { partialSource: source }) };
}

function verdictOf(event: { result?: string | undefined; source?: string | undefined }): Verdict | null {
	const result = readResult(event.result?.toLowerCase());
	const source = readSource(event.source);
	return result && { result, ...(source && { source }) };
}

function helped(state: WorkflowState, { agent, ts }: Extract<KnownEvent, { type: 'agent:complete' }>): WorkflowState {
	return isHelper(agent) ? { ...state, helpedAt: { ...state.helpedAt, [agent]: ts } } : state;
}

type Groups = NonNullable<WorkflowState['groups']>;

function withGroup(
	state: WorkflowState,
	name: string | undefined,
	change: (before: Groups[string] | undefined) => Groups[string],
): WorkflowState {
	if (name === undefined || name === '__proto__') return state;
	const groups = state.groups ?? {};
	if (Object.keys(groups).length >= MAX_STAGES && !Object.hasOwn(groups, name)) return state;
	return { ...state, groups: { ...groups, [name]: change(Object.hasOwn(groups, name) ? groups[name] : undefined) } };
}

function withCurrent(state: WorkflowState): WorkflowState {
	const keys = Object.keys(state.stages);
	const at = (status: StageState['status']) => keys.find((key) => stageOf(state, key)?.status === status);
	const currentStage = state.ended ? null : (at('active') ?? at('pending') ?? null);
	return currentStage === state.currentStage ? state : { ...state, currentStage };
}

const MAX_GUESSES = 20;
const MAX_ACTIVE = 60;

export interface AgentClue {
	agent?: string;
	agentId?: string;
	toolUseId?: string;
	stage?: string;
}

/** A second agent of the same name gets a number after it. */
export function withActive(state: WorkflowState, agent: string, entry: ActiveAgent): WorkflowState {
	const same = Object.values(state.activeAgents).some(
		(one) => one.toolUseId !== undefined && one.toolUseId === entry.toolUseId,
	);
	const isFull = Object.keys(state.activeAgents).length >= MAX_ACTIVE;
	if (same || isFull || agent === '__proto__') return state;
	let key = agent;
	for (let number = 2; Object.hasOwn(state.activeAgents, key); number += 1) key = `${agent}#${number}`;
	return { ...state, activeAgents: { ...state.activeAgents, [key]: entry } };
}

/** Finds a working agent by its id, by its call, else as the oldest of its name that fits. */
export function findActive(state: WorkflowState, clue: AgentClue): string | undefined {
	const all = Object.entries(state.activeAgents);
	const exact = all.find(
		([, one]) =>
			(clue.agentId !== undefined && one.agentId === clue.agentId) ||
			(clue.toolUseId !== undefined && one.toolUseId === clue.toolUseId),
	);
	if (exact) return exact[0];
	const named = all.filter(([key, one]) => agentOfKey(key) === clue.agent && one.agentId === undefined);
	return (named.find(([, one]) => one.stage === clue.stage) ?? named[0])?.[0];
}

/** A binding by call corrects an earlier guess. */
export function bindActive(state: WorkflowState, clue: AgentClue & { agentId: string }): WorkflowState {
	const all = Object.entries(state.activeAgents);
	const byCall = all.find(([, one]) => clue.toolUseId !== undefined && one.toolUseId === clue.toolUseId);
	const guessed = all.find(([, one]) => one.agentId === clue.agentId);
	if (byCall && !guessed && clue.toolUseId !== undefined) {
		const guesses = state.guessedCalls ?? {};
		const taken = Object.hasOwn(guesses, clue.agentId) ? guesses[clue.agentId] : undefined;
		// The agent assumed to have ended still works: another one has.
		const [key, entry] = byCall;
		if (taken !== undefined)
			return { ...state, activeAgents: { ...state.activeAgents, [key]: { ...entry, toolUseId: taken } } };
	}
	if (guessed && (!byCall || byCall[0] === guessed[0])) return state;
	const key = byCall?.[0] ?? findActive(state, clue);
	const target = key === undefined ? undefined : state.activeAgents[key];
	if (key === undefined || !target) return state;
	const activeAgents = { ...state.activeAgents, [key]: { ...target, agentId: clue.agentId } };
	if (guessed) {
		const { agentId: _wrong, ...unbound } = guessed[1];
		activeAgents[guessed[0]] = target.agentId === undefined ? unbound : { ...unbound, agentId: target.agentId };
	}
	return { ...state, activeAgents };
}

/** If several of its name fitted, the choice is kept for correction. */
export function withoutActive(state: WorkflowState, key: string, clue: AgentClue): WorkflowState {
	const { [key]: gone, ...activeAgents } = state.activeAgents;
	if (!gone) return state;
	const sure = gone.toolUseId === undefined || gone.toolUseId === clue.toolUseId || clue.agentId === undefined;
	const alike = Object.keys(activeAgents).some((other) => agentOfKey(other) === agentOfKey(key));
	if (sure || !alike || clue.agentId === '__proto__') return { ...state, activeAgents };
	const kept = Object.entries(state.guessedCalls ?? {}).slice(-MAX_GUESSES);
	const guessedCalls = Object.fromEntries([...kept, [clue.agentId ?? '', gone.toolUseId ?? '']]);
	return { ...state, activeAgents, guessedCalls };
}

/** Stages whose last agent was lost after another one had ended; they can end by that result. */
export function unattendedStages(state: WorkflowState): [key: string, verdict: Verdict][] {
	const attended = new Set(Object.values(state.activeAgents).map(({ stage }) => stage));
	return Object.entries(state.stages).flatMap(([key, stage]) => {
		const verdict = stage.status === 'active' && !attended.has(key) ? partialOf(stage) : undefined;
		return verdict ? [[key, verdict]] : [];
	});
}

/** A stage with a result of another agent ends by that (`unattendedStages`). */
export function reopenIfIdle(state: WorkflowState, key: string): WorkflowState {
	const stage = stageOf(state, key);
	const worked = Object.values(state.activeAgents).some((one) => one.stage === key);
	if (!stage || worked || stage.status !== 'active' || stage.partial) return state;
	return { ...state, stages: { ...state.stages, [key]: { ...stage, status: 'pending' } } };
}
