import type { WorkflowType } from '../contract/sessions/read-model/workflow-state.ts';

/** The second TEST becomes TEST:2. */
export function stageKeys(stages: readonly string[]): string[] {
	const seen = new Map<string, number>();
	return stages.map((stage) => {
		const count = (seen.get(stage) ?? 0) + 1;
		seen.set(stage, count);
		return count === 1 ? stage : `${stage}:${count}`;
	});
}

/** `TEST` of `TEST:2`. */
export const stageBase = (key: string) => key.split(':', 1)[0] ?? key;

interface StageDefinition {
	label: string;
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

/** The 16 stages. Each has its own agent; the grader has none. */
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

export type StageName = keyof typeof stages;

export const GRADER = 'grader';

/** Looks for the cause of a failed stage, in workflows without a DEBUG stage too. */
export const DEBUGGER = stages.DEBUG.agent;

export function stageOfAgent(agent: string): StageName | undefined {
	return (Object.keys(stages) as StageName[]).find((name) => stages[name].agent === agent);
}

/** Stages that may run side by side. */
type GroupName = 'quality' | 'verify' | 'secure-quality';

export type CompletionSignal = 'lint-clean' | 'tests-pass' | 'review-pass' | 'qa-pass' | 'e2e-pass' | 'security-pass';

export interface WorkflowDefinition {
	label: string;
	stages: readonly StageName[];
	groups: readonly GroupName[];
	specs: readonly ('tasks' | 'bdd')[];
	signals: readonly CompletionSignal[];
}

const BASE: CompletionSignal[] = ['lint-clean', 'tests-pass', 'review-pass'];
const standard = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'RETRO', 'DOCS'] as const;
const full = ['PLAN', 'ARCH', 'DESIGN', 'TEST', 'DEV', 'REVIEW', 'TEST', 'QA', 'E2E', 'RETRO', 'DOCS'] as const;
const secure = ['PLAN', 'ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST', 'SECURITY', 'RETRO', 'DOCS'] as const;
const single = (label: string, stage: StageName, signals: CompletionSignal[] = []): WorkflowDefinition => ({
	label,
	stages: [stage],
	groups: [],
	specs: [],
	signals,
});
const planned = (
	label: string,
	stages: readonly StageName[],
	groups: GroupName[],
	signals: CompletionSignal[],
	specs: WorkflowDefinition['specs'] = ['tasks', 'bdd'],
): WorkflowDefinition => ({ label, stages, groups, specs, signals });
const FULL_SIGNALS: CompletionSignal[] = [...BASE, 'qa-pass', 'e2e-pass'];

export const workflows = {
	single: single('Single change', 'DEV'),
	quick: planned('Quick', ['DEV', 'REVIEW', 'TEST', 'RETRO'], ['quality'], BASE, ['tasks']),
	standard: planned('Standard', standard, ['quality'], BASE),
	full: planned('Full', full, ['quality', 'verify'], FULL_SIGNALS),
	secure: planned('Secure', secure, ['secure-quality'], [...BASE, 'security-pass']),
	tdd: planned('Test driven', ['TEST', 'DEV', 'TEST'], [], ['tests-pass']),
	debug: planned('Debug', ['DEBUG', 'DEV', 'TEST'], [], ['tests-pass'], ['tasks']),
	refactor: planned('Refactor', ['ARCH', 'TEST', 'DEV', 'REVIEW', 'TEST'], ['quality'], ['tests-pass', 'review-pass']),
	'review-only': single('Review only', 'REVIEW', ['review-pass']),
	'security-only': single('Security only', 'SECURITY', ['security-pass']),
	'build-fix': single('Build fix', 'BUILD-FIX', ['lint-clean']),
	'e2e-only': single('End to end only', 'E2E', ['e2e-pass']),
	diagnose: single('Diagnose', 'DEBUG'),
	clean: single('Clean up', 'REFACTOR', ['lint-clean', 'tests-pass']),
	'db-review': single('Database review', 'DB-REVIEW', ['review-pass']),
	product: planned('Product', ['PM', ...standard], ['quality'], BASE),
	'product-full': planned('Product, full', ['PM', ...full], ['quality', 'verify'], FULL_SIGNALS),
	discovery: single('Discovery', 'PM'),
} as const satisfies Record<WorkflowType, WorkflowDefinition>;

export function isWorkflowType(type: unknown): type is WorkflowType {
	return typeof type === 'string' && Object.hasOwn(workflows, type);
}

/** TEST writes tests before DEV and checks after it. */
export function stageMode(keys: readonly string[], key: string): 'spec' | 'verify' | undefined {
	if (stageBase(key) !== 'TEST') return undefined;
	return keys.slice(0, keys.indexOf(key)).includes('DEV') ? 'verify' : 'spec';
}

const MEMBERS: Record<GroupName, readonly StageName[]> = {
	quality: ['REVIEW', 'TEST'],
	verify: ['QA', 'E2E'],
	'secure-quality': ['REVIEW', 'TEST', 'SECURITY'],
};

export interface WorkflowGroup {
	name: GroupName;
	stages: readonly string[];
}

const groupsByType = new Map<string, WorkflowGroup[]>();

/** A TEST that writes tests before DEV is in no group. */
export function groupsOf(type: string): readonly WorkflowGroup[] {
	if (!isWorkflowType(type)) return [];
	const known = groupsByType.get(type);
	if (known) return known;
	const definition: WorkflowDefinition = workflows[type];
	const keys = stageKeys(definition.stages);
	const isMember = (name: GroupName, key: string): boolean =>
		MEMBERS[name].some((member) => member === stageBase(key)) && stageMode(keys, key) !== 'spec';
	const groups = definition.groups.map((name) => ({ name, stages: keys.filter((key) => isMember(name, key)) }));
	groupsByType.set(type, groups);
	return groups;
}
