import type {
	StageResult,
	StageState,
	Verdict,
	WorkflowState,
} from '../contract/sessions/read-model/workflow-state.ts';
import { sentence } from '../messages/sentence.ts';
import { stageBase } from './registry.ts';

/** Whether a stage that ended so must run again. */
export function isBadResult(result: StageResult | null): boolean {
	return result === 'fail' || result === 'reject' || result === 'unclear';
}

/** What the engine records at the last such result. */
export const limitReason = (stage: string, result: StageResult, count: number) =>
	sentence('{stage} ended with {result}, number {count} in this workflow; a person must decide how to go on', {
		stage,
		result: result.toUpperCase(),
		count,
	});

/** Bad results of one kind before a person must decide. */
export const RESULT_LIMIT = 3;

export function isRunning(state: WorkflowState | null | undefined): state is WorkflowState {
	return state !== null && state !== undefined && state.ended === undefined;
}

export function isPaused(state: WorkflowState | null | undefined): boolean {
	return isRunning(state) && state.paused !== undefined;
}

/** `developer` of `developer#2`. */
export function agentOfKey(key: string): string {
	return key.split('#', 1)[0] ?? key;
}

/** The result so far of a stage that others still work on. */
export function partialOf({ partial, partialSource }: StageState): Verdict | undefined {
	return partial && { result: partial, ...(partialSource && { source: partialSource }) };
}

export function keysOfBase(state: WorkflowState, base: string): string[] {
	return Object.keys(state.stages).filter((key) => stageBase(key) === base);
}

/** Agent-given keys such as "constructor" are no stages. */
export function stageOf(state: WorkflowState, key: string | undefined): StageState | undefined {
	return key !== undefined && Object.hasOwn(state.stages, key) ? state.stages[key] : undefined;
}
