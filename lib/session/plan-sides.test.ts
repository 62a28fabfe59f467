import { describe, expect, test } from 'vitest';
import type { AgentView, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { planAgainstReality } from './plan-sides.ts';
import { pipelineSteps, type StageView } from './workflow-progress.ts';

const agent = (agentId: string, name: string, startedAt: string): AgentView => ({
	...{ agentId, name, startedAt, starts: 1, ends: 0, calls: 0 },
});
const plan: SessionView['plan'] = {
	...{ planId: 'p', status: 'active', at: '', seq: 1 },
	phases: [
		{ phase: 1, tasks: [{ agent: 'developer', status: 'completed' }] },
		{
			tasks: [
				{ agent: 'developer', status: 'pending' },
				{ agent: 'tester', status: 'pending' },
			],
		},
	],
};
const names = (list: AgentView[]) => list.map(({ agentId }) => agentId);

describe('plan beside reality', () => {
	test('every started agent is beside one task, or listed as unplanned', () => {
		const agents = [
			agent('c', 'developer', '3'),
			agent('a', 'developer', '1'),
			agent('b', 'developer', '2'),
			agent('x', 'architect', '2'),
		];
		const { phases, unplanned } = planAgainstReality({ plan, agents });
		expect(phases.map(({ name }) => name)).toEqual(['Phase 1', 'Phase 2']);
		expect(phases.flatMap(({ sides }) => sides.map(({ agents: started }) => names(started)))).toEqual([
			['a'],
			['b', 'c'],
			[],
		]);
		expect(unplanned.flatMap(({ agents: started }) => names(started))).toEqual(['x']);
	});

	test('without a plan everything is unplanned', () => {
		const { phases, unplanned } = planAgainstReality({ agents: [agent('a', 'tester', '1')] });
		expect([phases.length, unplanned.length]).toEqual([0, 1]);
	});

	test('neighbouring stages of one parallel group share a step', () => {
		const stages: StageView[] = ['DEV', 'REVIEW', 'TEST:2', 'DOCS'].map((key) => ({
			key,
			status: 'pending',
			result: null,
		}));
		const steps = pipelineSteps(stages, [{ name: 'quality', stages: ['REVIEW', 'TEST:2'] }]);
		expect(steps.map((step) => [step.group, step.stages.map(({ key }) => key)])).toEqual([
			[null, ['DEV']],
			['quality', ['REVIEW', 'TEST:2']],
			[null, ['DOCS']],
		]);
	});
});
