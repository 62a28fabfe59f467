/** `issues` is RETRO's and stops nothing. `unclear`: its agent ended without a verdict. */
export type StageResult = 'pass' | 'fail' | 'reject' | 'issues' | 'unclear';

/** In a comment, a line that names it, or words. */
export type VerdictSource = 'comment' | 'line' | 'words' | 'none';

export interface Verdict {
	result: StageResult;
	/** Older versions and other programs do not record it. */
	source?: VerdictSource;
}

export interface StageState {
	status: 'pending' | 'active' | 'completed';
	result: StageResult | null;
	mode?: 'spec' | 'verify';
	startedAt?: string;
	completedAt?: string;
	source?: VerdictSource;
	/** Oldest first; `unclear` without a verdict. */
	attempts?: StageResult[];
	retries?: number;
	/** Why its last run must be repeated; removed once it has ended again. */
	again?: string;
	/** The worst result so far of several agents that work on it at once. */
	partial?: StageResult;
	partialSource?: VerdictSource;
}

/** Keyed by its name; a second one of that name has `#2` behind it. */
export interface ActiveAgent {
	stage: string;
	startedAt: string;
	agentId?: string;
	toolUseId?: string;
	background?: boolean;
}

/** The content of workflow.json, with what is needed beside it. */
export interface WorkflowState {
	sessionId: string;
	workflowType: string;
	createdAt: string;
	currentStage: string | null;
	stages: Record<string, StageState>;
	activeAgents: Record<string, ActiveAgent>;
	/** Agents that ended before their call was known, with the call assumed to be theirs. */
	guessedCalls?: Record<string, string>;
	failCount: number;
	rejectCount: number;
	retroCount: number;
	unclearCount?: number;
	featureName?: string;
	/** When a debugger and a developer last ended, so that they are not asked twice. */
	helpedAt?: Record<string, string>;
	groups?: Record<string, { startedAt: string; convergedAt?: string; stages?: string[] }>;
	fatal?: { at: string; reason: string };
	paused?: { at: string };
	ended?: { at: string; how: 'complete' | 'abort'; reason?: string };
}

/** The 18 workflows. Loads nothing, since hooks read it. */
export const workflowKeys = [
	'single',
	'quick',
	'standard',
	'full',
	'secure',
	'tdd',
	'debug',
	'refactor',
	'review-only',
	'security-only',
	'build-fix',
	'e2e-only',
	'diagnose',
	'clean',
	'db-review',
	'product',
	'product-full',
	'discovery',
] as const;
export type WorkflowType = (typeof workflowKeys)[number];
