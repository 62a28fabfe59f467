import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPlan, needsNoPlan, readTaskFile } from './build-plan.ts';
import { afterStop, isDriven, markTask, planRest } from './plan-progress.ts';
import { parseRoutingState } from './routing-state.ts';
import { readYamlSubset } from './yaml-subset.ts';

const TASKS = `# made by hand
task_decomposition:
  original_request: "Build a cart: fast"
  subtasks:
    - id: task-1
      description: Design the cart # with care
      agent: core:Architect
    - id: 'task-2'
      description: >
        Implement
        the cart
    - id: task-3
      description: Write tests
execution_order:
  parallel_groups:
  - [task-1]
  - group: 2
    tasks: [task-2, "task-3"]
`;
const SOURCE = { id: 'x', at: '2026-02-23T14:00:00.000Z', taskFile: 'task-1.yaml@1', request: 'go' };
const plan = () => {
	const file = readTaskFile(TASKS);
	if (!file) throw new Error('no tasks');
	return buildPlan(file, SOURCE);
};
const read = (text: string | null) => {
	const parsed = parseRoutingState(text ?? '');
	if (!parsed.ok) throw new Error(parsed.reason);
	return { ...parsed.plan, raw: JSON.parse(text ?? '') as Record<string, unknown> };
};

describe('R281 a plan made of a task file', () => {
	it('R281 keeps ids, groups and agents; an agent that is not named follows from the words', () => {
		expect(read(plan())).toMatchObject({
			planId: 'route-x',
			status: 'pending',
			request: 'Build a cart: fast',
			phases: [
				{ phase: 1, tasks: [{ id: 'task-1', agent: 'architect' }] },
				{
					phase: 2,
					tasks: [
						{ id: 'task-2', agent: 'developer', description: 'Implement\nthe cart' },
						{ id: 'task-3', agent: 'tester' },
					],
				},
			],
			raw: {
				strategy: 'hybrid',
				totalCount: 3,
				maxRetries: 3,
				taskIndex: { 'task-3': { phaseIndex: 1, taskIndex: 1 } },
			},
		});
	});

	it('R281 reads lists beside their key, lists in lists, flat files, and nothing from junk', () => {
		expect(readYamlSubset('a:\n- x\n- - y\n  - z\nb: [1, "2"]\nc: "q: # r"')).toEqual({
			a: ['x', ['y', 'z']],
			b: ['1', '2'],
			c: 'q: # r',
		});
		const flat = readTaskFile('task_decomposition:\n  subtasks:\n    - id: a\n    - description: review it');
		expect(flat?.groups.map((group) => group.map((task) => task.agent))).toEqual([['developer'], ['reviewer']]);
		for (const junk of ['', '{}', '- a', 'task_decomposition: x', '\u0000', '__proto__:\n  a: b']) {
			expect(readTaskFile(junk)).toBeNull();
		}
		expect(({} as Record<string, unknown>).a).toBeUndefined();
	});

	it('R281 any text is read to its end', () => {
		fc.assert(
			fc.property(fc.stringMatching(/^[-a: \n"'[\],#|>]{0,200}$/), (text) => {
				readYamlSubset(text);
				readTaskFile(text);
			}),
		);
		readYamlSubset(`${'- '.repeat(100_000)}x`);
		readYamlSubset(`a: ${`"'`.repeat(500_000)}`);
	});

	it('R281 questions and commands need no plan', () => {
		for (const prompt of [
			'',
			'/help',
			'what is this',
			'is it done?',
			'為什麼會這樣',
			'做完了嗎？',
			'<task-notification>',
		]) {
			expect([prompt, needsNoPlan(prompt)]).toEqual([prompt, true]);
		}
		for (const prompt of ['build the cart', 'can you add tests', '實作購物車']) expect(needsNoPlan(prompt)).toBe(false);
	});
});

describe('R282 the progress of a plan', () => {
	const at = '2026-02-23T15:00:00.000Z';
	it('R282 tasks go from pending to executing to completed, and the plan with them; other fields stay', () => {
		const begun = markTask(plan(), 'architect', { how: 'executing' }, at);
		expect(read(begun)).toMatchObject({ status: 'in_progress', phases: [{ tasks: [{ status: 'executing' }] }, {}] });
		let text = begun ?? '';
		for (const agent of ['architect', 'developer', 'tester']) {
			text = markTask(text, agent, { how: 'completed' }, at) ?? '';
		}
		expect(read(text)).toMatchObject({ status: 'completed', raw: { completedCount: 3, taskFile: 'task-1.yaml@1' } });
		expect(markTask(text, 'tester', { how: 'completed' }, at)).toBeNull();
		expect(markTask(plan(), 'nobody', { how: 'completed' }, at)).toBeNull();
	});

	it('R282 a plan with a failed task does not end as completed', () => {
		let text = plan();
		for (const agent of ['architect', 'developer']) text = markTask(text, agent, { how: 'completed' }, at) ?? '';
		text = markTask(text, 'tester', { how: 'failed', error: 'overloaded' }, at) ?? '';
		expect(read(text)).toMatchObject({ status: 'failed', raw: { failedCount: 1, failReason: '1 of 3 tasks failed' } });
	});

	it('R282 only a plan with a budget of retries is driven, and what is no plan is left alone', () => {
		expect(isDriven(plan())).toBe(true);
		expect(isDriven('{"planId":"p","status":"pending","phases":[]}')).toBe(false);
		for (const junk of ['', '[]', '{"phases":[]}', '{"status":"pending","phases":[null,{"tasks":[1,{}]}]}']) {
			expect(markTask(junk, 'developer', { how: 'completed' }, at)).toBeNull();
			expect(planRest(junk)?.open ?? []).toEqual([]);
		}
		expect(afterStop('nonsense', 'retry', at)).toBeNull();
		expect(read(afterStop(plan(), 'failed', at))).toMatchObject({ status: 'failed', raw: { currentRetry: 1 } });
	});
});
