/** How a stage is named, who works on it and how it is coloured (seed 001). */
export interface StageDefinition {
	label: string;
	/** The agent that works on it: the name after the last colon of `subagent_type`. */
	agent: string;
	model: 'opus' | 'sonnet' | 'haiku';
	colour: string;
}

const stage = (label: string, agent: string, model: StageDefinition['model'], colour: string): StageDefinition => ({
	label,
	agent,
	model,
	colour,
});

/** The 16 stages by their base name. Each has its own agent; the grader has none. */
export const stages = {
	PM: stage('Product', 'product-manager', 'opus', 'emerald'),
	PLAN: stage('Plan', 'planner', 'opus', 'purple'),
	ARCH: stage('Architecture', 'architect', 'opus', 'cyan'),
	DESIGN: stage('Design', 'designer', 'sonnet', 'cyan'),
	DEV: stage('Development', 'developer', 'sonnet', 'yellow'),
	DEBUG: stage('Debug', 'debugger', 'sonnet', 'orange'),
	REVIEW: stage('Review', 'code-reviewer', 'opus', 'blue'),
	TEST: stage('Test', 'tester', 'sonnet', 'pink'),
	SECURITY: stage('Security', 'security-reviewer', 'opus', 'red'),
	'DB-REVIEW': stage('Database review', 'database-reviewer', 'sonnet', 'red'),
	QA: stage('QA', 'qa', 'sonnet', 'yellow'),
	E2E: stage('End to end', 'e2e-runner', 'sonnet', 'green'),
	'BUILD-FIX': stage('Build fix', 'build-error-resolver', 'sonnet', 'orange'),
	REFACTOR: stage('Refactor', 'refactor-cleaner', 'sonnet', 'blue'),
	RETRO: stage('Retrospective', 'retrospective', 'opus', 'purple'),
	DOCS: stage('Documentation', 'doc-updater', 'haiku', 'purple'),
} as const satisfies Record<string, StageDefinition>;

/** The base name of a stage, without a number. */
export type StageName = keyof typeof stages;

/** The agent that grades finished stages; it works on none itself. */
export const GRADER = 'grader';

/** The agent that looks for the cause of a failed stage, in workflows without a DEBUG stage too. */
export const DEBUGGER = stages.DEBUG.agent;

/** The stage that an agent works on, by the agent's plain name; nothing for agents of no stage. */
export function stageOfAgent(agent: string): StageName | undefined {
	return (Object.keys(stages) as StageName[]).find((name) => stages[name].agent === agent);
}
