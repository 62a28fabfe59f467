import { describe, expect, it } from 'vitest';
import { groupsOf, stageMode, workflows } from './registry.ts';
import { stageKeys } from './stage-keys.ts';
import { stageOfAgent, stages } from './stages.ts';
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
