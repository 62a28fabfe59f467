import type { WorkflowType } from '../contract/sessions/read-model/workflow-state.ts';
import { stageBase, stageKeys } from './stage-keys.ts';
import type { StageName } from './stages.ts';

/** A set of stages that may run side by side. Which stages are members is a matter of each workflow. */
export type GroupName = 'quality' | 'verify' | 'secure-quality';

/** What tells that a workflow has reached its aim; said in prompts, judged by the agents. */
export type CompletionSignal = 'lint-clean' | 'tests-pass' | 'review-pass' | 'qa-pass' | 'e2e-pass' | 'security-pass';

/** One of the 18 workflows (seed 001). */
export interface WorkflowDefinition {
	label: string;
	/** In order; a name that comes twice is numbered by `stageKeys`. */
	stages: readonly StageName[];
	groups: readonly GroupName[];
	/** The documents that a feature of this workflow has. */
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

/** The 18 workflows by key, in the seed's order. */
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

/** Whether a text is the key of a workflow. */
export function isWorkflowType(type: unknown): type is WorkflowType {
	return typeof type === 'string' && Object.hasOwn(workflows, type);
}

/** What a numbered stage does where its name comes twice: TEST writes tests before DEV and checks after it. */
export function stageMode(keys: readonly string[], key: string): 'spec' | 'verify' | undefined {
	if (stageBase(key) !== 'TEST') return undefined;
	return keys.slice(0, keys.indexOf(key)).includes('DEV') ? 'verify' : 'spec';
}

const MEMBERS: Record<GroupName, readonly StageName[]> = {
	quality: ['REVIEW', 'TEST'],
	verify: ['QA', 'E2E'],
	'secure-quality': ['REVIEW', 'TEST', 'SECURITY'],
};

/** A parallel group of one workflow with the keys of its members, in the workflow's order. */
export interface WorkflowGroup {
	name: GroupName;
	stages: readonly string[];
}

const groupsByType = new Map<string, WorkflowGroup[]>();

/** The parallel groups of a workflow. A TEST that writes tests before DEV is a member of none. */
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
