import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { stageBase } from './stage-keys.ts';
import { DEBUGGER, stages } from './stages.ts';
import { stageOf } from './workflow-state.ts';

const JUDGES: readonly string[] = ['REVIEW', 'SECURITY', 'DB-REVIEW', 'TEST', 'QA', 'E2E'];

/** The agent that repairs what a stage did not let pass, in workflows without a DEV stage too. */
export const DEVELOPER = stages.DEV.agent;

/** Agents that help a stage to pass: when one ended is kept, so that nothing is asked for twice. */
export function isHelper(agent: string): boolean {
	return agent === DEBUGGER || agent === DEVELOPER;
}

/**
 * Whether others must repair before the stage runs again: it judges their work. The agent of any other stage does its
 * own work again, also tests that are written before the code (mode spec).
 */
export function needsRepair(key: string, mode: string | undefined): boolean {
	return JUDGES.includes(stageBase(key)) && mode !== 'spec';
}

/** Of stages to be done again, those that wait for somebody else's repair. */
export function unrepaired(state: WorkflowState, keys: readonly string[]): string[] {
	const waiting = keys.filter((key) => needsRepair(key, stageOf(state, key)?.mode));
	const repairs = [stageOf(state, 'DEV')?.completedAt, state.helpedAt?.[DEVELOPER]];
	return waiting.every((key) => repairs.some((at) => isAfter(state, key, at))) ? [] : waiting;
}

/** Whether the debugger has looked for the cause since these stages failed. */
export function isSearched(state: WorkflowState, keys: readonly string[]): boolean {
	return keys.every((key) => isAfter(state, key, state.helpedAt?.[DEBUGGER]));
}

function isAfter(state: WorkflowState, key: string, at: string | undefined): boolean {
	return at !== undefined && (stageOf(state, key)?.completedAt ?? '') < at;
}
