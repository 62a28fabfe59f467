import { describe, expect, it } from 'vitest';
import { groupsOf, stageKeys, stageMode, stageOfAgent, stages, workflows } from './registry.ts';
import { begin } from './testing/workflow-events.ts';

const TABLE: [type: keyof typeof workflows, keys: string, groups: Record<string, string>][] = [
	['single', 'DEV', {}],
	['quick', 'DEV REVIEW TEST RETRO', { quality: 'REVIEW TEST' }],
	['standard', 'PLAN ARCH TEST DEV REVIEW TEST:2 RETRO DOCS', { quality: 'REVIEW TEST:2' }],
	['full', 'PLAN ARCH DESIGN TEST DEV REVIEW TEST:2 QA E2E RETRO DOCS', { quality: 'REVIEW TEST:2', verify: 'QA E2E' }],
	['secure', 'PLAN ARCH TEST DEV REVIEW TEST:2 SECURITY RETRO DOCS', { 'secure-quality': 'REVIEW TEST:2 SECURITY' }],
	['tdd', 'TEST DEV TEST:2', {}],
	['debug', 'DEBUG DEV TEST', {}],
	['refactor', 'ARCH TEST DEV REVIEW TEST:2', { quality: 'REVIEW TEST:2' }],
	['review-only', 'REVIEW', {}],
	['security-only', 'SECURITY', {}],
	['build-fix', 'BUILD-FIX', {}],
	['e2e-only', 'E2E', {}],
	['diagnose', 'DEBUG', {}],
	['clean', 'REFACTOR', {}],
	['db-review', 'DB-REVIEW', {}],
	['product', 'PM PLAN ARCH TEST DEV REVIEW TEST:2 RETRO DOCS', { quality: 'REVIEW TEST:2' }],
	[
		'product-full',
		'PM PLAN ARCH DESIGN TEST DEV REVIEW TEST:2 QA E2E RETRO DOCS',
		{ quality: 'REVIEW TEST:2', verify: 'QA E2E' },
	],
	['discovery', 'PM', {}],
];

const STAGES = {
	PM: ['product-manager', 'opus', 'emerald'],
	PLAN: ['planner', 'opus', 'purple'],
	ARCH: ['architect', 'opus', 'cyan'],
	DESIGN: ['designer', 'sonnet', 'cyan'],
	DEV: ['developer', 'sonnet', 'yellow'],
	DEBUG: ['debugger', 'sonnet', 'orange'],
	REVIEW: ['code-reviewer', 'opus', 'blue'],
	TEST: ['tester', 'sonnet', 'pink'],
	SECURITY: ['security-reviewer', 'opus', 'red'],
	'DB-REVIEW': ['database-reviewer', 'sonnet', 'red'],
	QA: ['qa', 'sonnet', 'yellow'],
	E2E: ['e2e-runner', 'sonnet', 'green'],
	'BUILD-FIX': ['build-error-resolver', 'sonnet', 'orange'],
	REFACTOR: ['refactor-cleaner', 'sonnet', 'blue'],
	RETRO: ['retrospective', 'opus', 'purple'],
	DOCS: ['doc-updater', 'haiku', 'purple'],
};

const BOTH = 'lint-clean tests-pass review-pass';
/** Documents of a feature, and what tells that the workflow has reached its aim. */
const AIMS: Record<string, [specs: string, signals: string]> = {
	single: ['', ''],
	quick: ['tasks', BOTH],
	standard: ['tasks bdd', BOTH],
	full: ['tasks bdd', `${BOTH} qa-pass e2e-pass`],
	secure: ['tasks bdd', `${BOTH} security-pass`],
	tdd: ['tasks bdd', 'tests-pass'],
	debug: ['tasks', 'tests-pass'],
	refactor: ['tasks bdd', 'tests-pass review-pass'],
	'review-only': ['', 'review-pass'],
	'security-only': ['', 'security-pass'],
	'build-fix': ['', 'lint-clean'],
	'e2e-only': ['', 'e2e-pass'],
	diagnose: ['', ''],
	clean: ['', 'lint-clean tests-pass'],
	'db-review': ['', 'review-pass'],
	product: ['tasks bdd', BOTH],
	'product-full': ['tasks bdd', `${BOTH} qa-pass e2e-pass`],
	discovery: ['', ''],
};

describe('R713 the registry is that of seed 001 to the word', () => {
	it('R713 the 16 stages have their agents, models and colours', () => {
		const found = Object.entries(stages).map(([name, { agent, model, colour }]) => [name, [agent, model, colour]]);
		expect(Object.fromEntries(found)).toEqual(STAGES);
	});

	it('R713 the 18 workflows have their documents and completion signals', () => {
		const found = Object.entries(workflows).map(([type, { specs, signals }]) => [
			type,
			[specs.join(' '), signals.join(' ')],
		]);
		expect(Object.fromEntries(found)).toEqual(AIMS);
	});
});

describe('R260 the registry of seed 001', () => {
	it('R260 has 18 workflows and 16 stages, each stage with its own agent', () => {
		expect(Object.keys(workflows)).toEqual(TABLE.map(([type]) => type));
		expect(Object.keys(stages)).toHaveLength(16);
		expect(new Set(Object.values(stages).map((stage) => stage.agent)).size).toBe(16);
	});

	it.each(TABLE)('R260 %s has its stages in order, repeats numbered, its own groups', (type, keys, groups) => {
		expect(Object.keys(begin(type).stages)).toEqual(keys.split(' '));
		const found = groupsOf(type).map((group) => [group.name, group.stages.join(' ')]);
		expect(Object.fromEntries(found)).toEqual(groups);
	});

	it.each(TABLE)('R260 %s has TEST in mode spec before DEV and verify after it', (type) => {
		const keys = stageKeys(workflows[type].stages);
		const tests = keys.filter((key) => key.startsWith('TEST'));
		for (const key of tests) {
			const after = keys.includes('DEV') && keys.indexOf(key) > keys.indexOf('DEV');
			expect(stageMode(keys, key)).toBe(after ? 'verify' : 'spec');
			expect(begin(type).stages[key]?.mode).toBe(after ? 'verify' : 'spec');
		}
	});

	it('R260 finds the stage of every agent, and none for the grader', () => {
		for (const [name, stage] of Object.entries(stages)) expect(stageOfAgent(stage.agent)).toBe(name);
		expect(stageOfAgent('grader')).toBeUndefined();
		expect(stageOfAgent('constructor')).toBeUndefined();
	});
});
