import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CompletionWorkflowValidator, completionPrompt } from './completion-workflow-validator.ts';
import { nextByPriority, type Task } from './task.ts';
import { scriptedClient } from './testing/scripted-client.ts';

const task = (id: string, change: Partial<Task> = {}): Task => ({
	id,
	description: `task ${id}`,
	status: 'waiting',
	priority: 'medium',
	...change,
});
const next = (change: Record<string, unknown> = {}) => ({
	nextTaskId: 'b',
	nextTaskDescription: 'task b',
	needsBreakdown: false,
	breakdownReason: null,
	hasIntegrationDependencies: false,
	integrationFiles: [],
	reviewTasks: [],
	...change,
});
const analysis = (nextTask: unknown, reason = 'b follows a') => ({
	nextTask,
	workflowContinuity: { hasLogicalNext: nextTask !== null, reason },
});
const done = task('a', { status: 'active' });
const context = { completedTask: done, allTasks: [done, task('b')], completedTaskFiles: ['src/auth/login.ts'] };
const validate = (answer: Parameters<typeof scriptedClient>[0], given = context) =>
	new CompletionWorkflowValidator(scriptedClient(answer).client).validateCompletion(given);

test('R551 Successful next task identification', async () => {
	expect(await validate(analysis(next()))).toEqual({
		allowed: true,
		reasoning: 'b follows a',
		suggestions: ['Recommended next task: task b (b)'],
		nextTask: { id: 'b', description: 'task b' },
	});
});

test('R551 Blocking when workflow unclear', async () => {
	const result = await validate(analysis(null, 'The login has no tests.'));
	expect(result.allowed).toBe(false);
	expect(result.blockReason).toContain('"task a" cannot be completed yet: 1 task remains');
	expect(result.blockReason).toContain('The login has no tests.');
	expect(result.blockReason?.match(/^\d\. /gm)).toHaveLength(4);
	const unnamed = next({ nextTaskId: null, nextTaskDescription: null });
	expect(
		(await validate({ ...analysis(unnamed), workflowContinuity: { hasLogicalNext: false, reason: '' } })).allowed,
	).toBe(false);
});

test('R551 no next task blocks only when tasks remain; the completed task is none of them', async () => {
	const { client, asked } = scriptedClient(analysis(null));
	const validator = new CompletionWorkflowValidator(client);
	const last = { ...context, allTasks: [done, task('c', { status: 'completed' }), task('d', { status: 'abandoned' })] };
	expect(await validator.validateCompletion(last)).toEqual({ allowed: true, reasoning: 'no task remains' });
	expect(asked).toEqual([]);
});

test('R551 Breakdown warnings for complex tasks', async () => {
	const result = await validate(analysis(next({ needsBreakdown: true, breakdownReason: 'six files' })));
	expect(result.allowed).toBe(true);
	expect(result.warnings).toEqual(['The next task is complex and should be broken down: six files']);
	expect(result.suggestions?.[0]).toContain('3-7 subtasks');
});

test('R551 Integration dependency detection', async () => {
	const files = { hasIntegrationDependencies: true, integrationFiles: ['src/auth/login.ts'] };
	const reviewTasks = [{ taskId: 'a', description: 'task a', reason: 'same session' }];
	const result = await validate(analysis(next({ ...files, reviewTasks })));
	expect(result.warnings).toEqual(['The next task depends on files of the completed one: src/auth/login.ts']);
	expect(result.suggestions).toEqual([
		'Review the shared files before the next task is started.',
		'Review these completed tasks before the next one:',
		'- a task a: same session',
		'Recommended next task: task b (b)',
	]);
	const flagged = await validate(analysis(next({ hasIntegrationDependencies: true })));
	expect(flagged.warnings).toBeUndefined();
});

test('R551 a next task that is not among the remaining ones is a warning', async () => {
	for (const nextTaskId of ['x', 'a']) {
		const result = await validate(analysis(next({ nextTaskId })));
		expect(result.allowed).toBe(true);
		expect(result.warnings).toEqual([`The recommended next task ${nextTaskId} is not among the remaining tasks.`]);
	}
});

test('R552 Graceful LLM failure handling', async () => {
	for (const failure of ['not-configured', 'timeout', 'budget', 'failed', 'unreadable'] as const) {
		const result = await validate(failure);
		expect(result).toMatchObject({ allowed: true, nextTask: { id: 'b' }, fallback: expect.any(String) });
	}
	for (const rubbish of [{}, { nextTask: 'b' }, { ...analysis(next()), verdict: 'block' }]) {
		expect((await validate(rubbish)).fallback).toBe('the answer of the model did not fit');
	}
});

test('R552 the fallback takes the highest priority that nothing remaining blocks, never the completed task', async () => {
	const tasks = [
		{ ...done, priority: 'critical' as const },
		task('b', { priority: 'low', blockedBy: ['a'] }),
		task('c', { priority: 'critical', blockedBy: ['b'] }),
		task('d', { priority: 'high' }),
		task('e', { priority: 'high' }),
	];
	const result = await validate('timeout', { ...context, allTasks: tasks });
	expect(result.nextTask?.id).toBe('d');
	expect(nextByPriority([task('x', { blockedBy: ['y'] }), task('y', { blockedBy: ['x'] })])?.task.id).toBe('x');
	expect(nextByPriority([])).toBeUndefined();
});

test('R550 Task hierarchy context inclusion', () => {
	const tasks = [
		done,
		task('b', { parentId: 'a', blockedBy: ['c'], status: 'blocked' }),
		task('c', { parentId: 'gone' }),
		task('d', { parentId: 'e' }),
		task('e', { parentId: 'd', status: 'completed' }),
	];
	const prompt = completionPrompt({ ...context, allTasks: tasks });
	const names = [...prompt.matchAll(/^<data section="([^"]+)">$/gm)].map(([, name]) => name);
	expect(names).toEqual(['Just Completed Task', 'Previously Completed Tasks', 'Remaining Tasks', 'Task Hierarchy']);
	const sections = prompt.split('\n').filter((line) => /^[[{]/.test(line));
	expect(JSON.parse(sections[0] ?? '')).toMatchObject({ id: 'a', modifiedFiles: ['src/auth/login.ts'] });
	expect(JSON.parse(sections[1] ?? '')).toEqual([{ id: 'e', description: 'task e' }]);
	expect(JSON.parse(sections[2] ?? '').map(({ id }: Task) => id)).toEqual(['b', 'c', 'd']);
	expect(JSON.parse(sections[3] ?? '')).toEqual([
		'[x] a: task a',
		'  [!] b: task b',
		'[ ] c: task c (its parent is unknown)',
		'[ ] d: task d',
		'  [x] e: task e',
	]);
});

test('R550 every task is in the hierarchy exactly once, whatever the parents are', () => {
	const tasks = fc.uniqueArray(
		fc.record({ id: fc.constantFrom(...'abcdefgh'), parent: fc.option(fc.constantFrom(...'abcdefghi')) }),
		{ selector: ({ id }) => id },
	);
	fc.assert(
		fc.property(tasks, (made) => {
			const all = made.map(({ id, parent }) => task(id, parent === null ? {} : { parentId: parent }));
			const prompt = completionPrompt({ completedTask: task('zz'), allTasks: all, completedTaskFiles: [] });
			const tree: string[] = JSON.parse(prompt.split('\n').filter((line) => /^[[{]/.test(line))[3] ?? '');
			const ids = tree.map((line) => /\[.\] (\w+):/.exec(line)?.[1]);
			expect(ids.toSorted()).toEqual([...all.map(({ id }) => id), 'zz'].toSorted());
		}),
	);
});
