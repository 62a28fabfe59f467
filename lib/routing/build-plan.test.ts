import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildPlan, needsNoPlan, readTaskFile } from './build-plan.ts';
import { readYamlSubset } from './read-yaml-subset.ts';
import { afterStop, isDriven, markTask, parseRoutingState, planRest } from './routing-state.ts';

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

	it('R281 the plan has every field of vibe-engine’s routing-state.json', () => {
		const whole = JSON.parse(plan()) as { phases: { tasks: unknown[] }[] };
		const task = (id: string, agent: string, description: string, model: string) => ({
			...{ id, agent, description, model, status: 'pending' },
			...{ startedAt: null, completedAt: null, error: null },
		});
		expect(whole).toEqual({
			planId: 'route-x',
			createdAt: SOURCE.at,
			updatedAt: SOURCE.at,
			originalRequest: 'Build a cart: fast',
			status: 'pending',
			strategy: 'hybrid',
			phases: [
				{ phase: 1, parallel: false, tasks: [task('task-1', 'architect', 'Design the cart', 'opus')] },
				{
					phase: 2,
					parallel: true,
					tasks: [
						task('task-2', 'developer', 'Implement\nthe cart', 'sonnet'),
						task('task-3', 'tester', 'Write tests', 'sonnet'),
					],
				},
			],
			totalCount: 3,
			completedCount: 0,
			failedCount: 0,
			maxRetries: 3,
			currentRetry: 0,
			taskIndex: {
				'task-1': { phaseIndex: 0, taskIndex: 0 },
				'task-2': { phaseIndex: 1, taskIndex: 0 },
				'task-3': { phaseIndex: 1, taskIndex: 1 },
			},
			taskFile: 'task-1.yaml@1',
		});
	});

	it('R281 one task a phase is sequential; tasks without a name are numbered; the prompt is the request', () => {
		const file = readTaskFile(
			'task_decomposition:\n  subtasks:\n    - title: search it\n    - name: do it\n      agent: wizard',
		);
		if (!file) throw new Error('no tasks');
		expect(JSON.parse(buildPlan(file, SOURCE))).toMatchObject({
			originalRequest: 'go',
			strategy: 'sequential',
			phases: [
				{
					phase: 1,
					parallel: false,
					tasks: [{ id: 'task-1', agent: 'explorer', description: 'search it', model: 'haiku' }],
				},
				{
					phase: 2,
					parallel: false,
					tasks: [{ id: 'task-2', agent: 'wizard', description: 'do it', model: 'sonnet' }],
				},
			],
		});
	});

	it.each([
		['sketch the architecture', 'architect'],
		['design it', 'architect'],
		['implement it', 'developer'],
		['fix it', 'developer'],
		['refactor it', 'developer'],
		['test it', 'tester'],
		['review it', 'reviewer'],
		['explore it', 'explorer'],
		['search it', 'explorer'],
		['security of it', 'reviewer'],
		['fix the tests', 'developer'],
		['do it', 'developer'],
		['do it, as named', 'Tester'],
		['review it, as named', 'architect'],
		['test it, by one of theirs', 'other:Painter'],
	])('R281 for "%s" the router takes %s', (description, agent) => {
		const named = /named|theirs/.test(description) ? `\n      agent: ${agent}` : '';
		const file = readTaskFile(`task_decomposition:\n  subtasks:\n    - description: "${description}"${named}`);
		expect(file?.groups[0]?.[0]?.agent).toBe(agent.replace(/.*:/, '').toLowerCase());
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

	it('R282 a task knows when it began and ended and why it failed; a stop counts, and the plan says why it failed', () => {
		type Task = Record<string, unknown>;
		const tasks = (text: string | null) =>
			(read(text).raw.phases as { tasks: Task[] }[]).flatMap((phase) => phase.tasks);
		const begun = markTask(plan(), 'architect', { how: 'executing' }, at) ?? '';
		expect(tasks(begun)[0]).toMatchObject({ status: 'executing', startedAt: at, completedAt: null, error: null });
		const later = '2026-02-23T15:01:00.000Z';
		expect(tasks(markTask(begun, 'architect', { how: 'completed' }, later))[0]).toMatchObject({
			...{ status: 'completed', startedAt: at, completedAt: later, error: null },
		});
		const failed = markTask(begun, 'architect', { how: 'failed', error: 'overloaded' }, later);
		expect(tasks(failed)[0]).toMatchObject({ status: 'failed', completedAt: later, error: 'overloaded' });
		expect(read(failed).raw.updatedAt).toBe(later);
		expect(planRest(begun)).toEqual({
			planId: 'route-x',
			open: ['architect: Design the cart', 'developer: Implement\nthe cart', 'tester: Write tests'],
			retry: 0,
			maxRetries: 3,
		});
		expect(planRest('{"status":"pending","phases":[],"currentRetry":-1,"maxRetries":"x"}')).toEqual({
			...{ planId: 'unknown', open: [], retry: 0, maxRetries: 3 },
		});
		expect(read(afterStop(begun, 'completed', later)).raw).toMatchObject({ status: 'completed', currentRetry: 0 });
		expect(read(afterStop(begun, 'retry', later)).raw).toMatchObject({ status: 'in_progress', currentRetry: 1 });
		expect(read(afterStop(begun, 'retry', later)).raw).not.toHaveProperty('failReason');
		expect(read(afterStop(begun, 'failed', later)).raw).toMatchObject({
			failReason: 'tasks were still open after the last retry',
		});
	});

	it('R282 of two tasks of one agent the one that executes ends first', () => {
		const two = JSON.stringify({
			...{ planId: 'p', status: 'in_progress', maxRetries: 3 },
			phases: [{ tasks: ['pending', 'executing'].map((status) => ({ agent: 'dev', status })) }],
		});
		const states = (text: string | null) => read(text).phases[0]?.tasks.map((task) => task.status);
		expect(states(markTask(two, 'dev', { how: 'completed' }, at))).toEqual(['pending', 'completed']);
		expect(states(markTask(two, 'dev', { how: 'executing' }, at))).toEqual(['executing', 'executing']);
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
