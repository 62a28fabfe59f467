import type {
	StageResult,
	StageState,
	Verdict,
	WorkflowState,
} from '../contract/sessions/read-model/workflow-state.ts';
import { stageBase } from './stage-keys.ts';

/** Whether a stage that ended so did not do what it is for, and must be done again. */
export function isBadResult(result: StageResult | null): boolean {
	return result === 'fail' || result === 'reject' || result === 'unclear';
}

/** How often one kind of bad result may come before a person must decide. */
export const RESULT_LIMIT = 3;

/** Whether a workflow runs: it was started and has not ended. */
export function isRunning(state: WorkflowState | null | undefined): state is WorkflowState {
	return state !== null && state !== undefined && state.ended === undefined;
}

/** Whether a running workflow rests: its agent may stop and may do what the person asks. */
export function isPaused(state: WorkflowState | null | undefined): boolean {
	return isRunning(state) && state.paused !== undefined;
}

/** The name of an active agent without its number. */
export function agentOfKey(key: string): string {
	return key.split('#', 1)[0] ?? key;
}

/** What the agents that have ended so far have found of a stage that others still work on. */
export function partialOf({ partial, partialSource }: StageState): Verdict | undefined {
	return partial && { result: partial, ...(partialSource && { source: partialSource }) };
}

/** Keys of stages with this base name, in the workflow's order. */
export function keysOfBase(state: WorkflowState, base: string): string[] {
	return Object.keys(state.stages).filter((key) => stageBase(key) === base);
}

/** A stage by key; agent-given keys such as "constructor" are no stages. */
export function stageOf(state: WorkflowState, key: string | undefined): StageState | undefined {
	return key !== undefined && Object.hasOwn(state.stages, key) ? state.stages[key] : undefined;
}
