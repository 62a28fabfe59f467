/** How a stage ended. `issues` is RETRO's: it may be done again, it need not. `unclear`: its agent ended without a word. */
export type StageResult = 'pass' | 'fail' | 'reject' | 'issues' | 'unclear';

/** Where a verdict was read: in a comment, in a line that names it, from words; `none` where nothing was said of it. */
export type VerdictSource = 'comment' | 'line' | 'words' | 'none';

/** What an agent found of its stage. */
export interface Verdict {
	result: StageResult;
	/** Absent where an older version, or another program, did not say. */
	source?: VerdictSource;
}

/** One stage of workflow.json. */
export interface StageState {
	status: 'pending' | 'active' | 'completed';
	result: StageResult | null;
	mode?: 'spec' | 'verify';
	startedAt?: string;
	completedAt?: string;
	/** Where its last result was read. */
	source?: VerdictSource;
	/** The results of all its runs, oldest first, `unclear` where nobody spoke a verdict; absent before the first. */
	attempts?: StageResult[];
	/** How often it was opened again. */
	retries?: number;
	/** Why its last run must be done again, as its agent said; gone once it has ended anew. */
	again?: string;
	/** The worst result so far of several agents that work on it at one time, and where it was read. */
	partial?: StageResult;
	partialSource?: VerdictSource;
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
	/** How often an agent ended a stage without a word. */
	unclearCount?: number;
	featureName?: string;
	/** When a debugger and a developer last ended: what they were asked for is not asked for twice. */
	helpedAt?: Record<string, string>;
	/** Parallel groups that have begun, with their members where an event named them. */
	groups?: Record<string, { startedAt: string; convergedAt?: string; stages?: string[] }>;
	/** A limit was reached: a person must decide how to go on. */
	fatal?: { at: string; reason: string };
	/** A person paused it; absent while it goes on. */
	paused?: { at: string };
	ended?: { at: string; how: 'complete' | 'abort'; reason?: string };
}
