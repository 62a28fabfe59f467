import { stageBase } from './stage-keys.ts';

/** How a stage ended. `issues` is RETRO's: it may be done again, it need not. */
export type StageResult = 'pass' | 'fail' | 'reject' | 'issues';

/** One stage of workflow.json. */
export interface StageState {
	status: 'pending' | 'active' | 'completed';
	result: StageResult | null;
	mode?: 'spec' | 'verify';
	startedAt?: string;
	completedAt?: string;
	/** The results of all its runs, oldest first; absent before the first. */
	attempts?: StageResult[];
	/** How often it was opened again. */
	retries?: number;
	/** The worst result so far of several agents that work on it at one time. */
	partial?: StageResult;
}

/** An agent at work. Its key is its name; a second one of that name has `#2` behind it, and so on. */
export interface ActiveAgent {
	stage: string;
	startedAt: string;
	/** The client's id of it, once it has started. */
	agentId?: string;
	/** The call that asked for it. */
	toolUseId?: string;
	background?: boolean;
}

/** The content of workflow.json (seed 001) and what is needed beside it to be right. */
export interface WorkflowState {
	sessionId: string;
	workflowType: string;
	createdAt: string;
	/** The stage being worked on, else the next one; null when there is none. */
	currentStage: string | null;
	stages: Record<string, StageState>;
	activeAgents: Record<string, ActiveAgent>;
	/** Agents that ended before their call was known, with the call that was taken for theirs. */
	guessedCalls?: Record<string, string>;
	failCount: number;
	rejectCount: number;
	retroCount: number;
	featureName?: string;
	/** When a debugger and a developer last ended: what they were asked for is not asked for twice. */
	helpedAt?: Record<string, string>;
	/** Parallel groups that have begun. */
	groups?: Record<string, { startedAt: string; convergedAt?: string }>;
	/** A limit was reached: a person must decide how to go on. */
	fatal?: { at: string; reason: string };
	/** A person paused it; absent while it goes on. */
	paused?: { at: string };
	ended?: { at: string; how: 'complete' | 'abort'; reason?: string };
}

/** How often one kind of bad result may come before a person must decide. */
export const RESULT_LIMIT = 3;

/** Whether a workflow runs: it was started and has not ended. */
export function isRunning(state: WorkflowState | null): state is WorkflowState {
	return state !== null && state.ended === undefined;
}

/** Whether a running workflow rests: its agent may stop and may do what the person asks. */
export function isPaused(state: WorkflowState | null): boolean {
	return isRunning(state) && state.paused !== undefined;
}

/** The name of an active agent without its number. */
export function agentOfKey(key: string): string {
	return key.split('#', 1)[0] ?? key;
}

/** Keys of stages with this base name, in the workflow's order. */
export function keysOfBase(state: WorkflowState, base: string): string[] {
	return Object.keys(state.stages).filter((key) => stageBase(key) === base);
}

/** A stage by key; agent-given keys such as "constructor" are no stages. */
export function stageOf(state: WorkflowState, key: string | undefined): StageState | undefined {
	return key !== undefined && Object.hasOwn(state.stages, key) ? state.stages[key] : undefined;
}
