import type { ActiveAgent, Verdict, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { agentOfKey, partialOf, stageOf } from './workflow-state.ts';

const MAX_GUESSES = 20;
/** As many as a state file is read with. */
const MAX_ACTIVE = 60;

/** By what an event names an agent at work; each may be missing. */
export interface AgentClue {
	agent?: string;
	agentId?: string;
	toolUseId?: string;
	stage?: string;
}

/** The active agents with one more; a second one of a name gets a number behind it. */
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

/** The key of the agent that a clue means: by its id, by its call, else the oldest of its name that fits. */
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

/** Binds the client's id to the agent that was asked for; a binding by call corrects an earlier guess. */
export function bindActive(state: WorkflowState, clue: AgentClue & { agentId: string }): WorkflowState {
	const all = Object.entries(state.activeAgents);
	const byCall = all.find(([, one]) => clue.toolUseId !== undefined && one.toolUseId === clue.toolUseId);
	const guessed = all.find(([, one]) => one.agentId === clue.agentId);
	if (byCall && !guessed && clue.toolUseId !== undefined) {
		const guesses = state.guessedCalls ?? {};
		const taken = Object.hasOwn(guesses, clue.agentId) ? guesses[clue.agentId] : undefined;
		if (taken !== undefined) return exchanged(state, byCall[0], byCall[1], taken);
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

/** An agent has ended whose call turns out to be this one: what was removed for it then still works. */
function exchanged(state: WorkflowState, key: string, entry: ActiveAgent, taken: string): WorkflowState {
	return { ...state, activeAgents: { ...state.activeAgents, [key]: { ...entry, toolUseId: taken } } };
}

/** The state without an agent. Where several of its name could have been meant, the choice is kept for correction. */
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

/** Stages whose last agent was lost after another one had ended, with that one's result: they can end by it. */
export function unattendedStages(state: WorkflowState): [key: string, verdict: Verdict][] {
	const attended = new Set(Object.values(state.activeAgents).map(({ stage }) => stage));
	return Object.entries(state.stages).flatMap(([key, stage]) => {
		const verdict = stage.status === 'active' && !attended.has(key) ? partialOf(stage) : undefined;
		return verdict ? [[key, verdict]] : [];
	});
}

/** Opens a stage again whose last agent was lost; one that has a result of another agent ends by that (`unattendedStages`). */
export function reopenIfIdle(state: WorkflowState, key: string): WorkflowState {
	const stage = stageOf(state, key);
	const worked = Object.values(state.activeAgents).some((one) => one.stage === key);
	if (!stage || worked || stage.status !== 'active' || stage.partial) return state;
	return { ...state, stages: { ...state.stages, [key]: { ...stage, status: 'pending' } } };
}
