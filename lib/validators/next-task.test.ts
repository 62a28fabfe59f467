import { expect, test } from 'vitest';
import { parseTasks } from '../features/tasks-file.ts';
import { buildPlan, readTaskFile } from '../routing/build-plan.ts';
import { parseRoutingState } from '../routing/routing-state.ts';
import { completionFallback } from './completion-workflow-validator.ts';
import { boxTasks, namedFiles, planTasks, todoTasks, writtenPriority } from './session-tasks.ts';
import { isRemaining, nextByPriority, type Task, withBlocked } from './task.ts';

const task = (id: string, change: Partial<Task> = {}): Task => ({
	id,
	description: `task ${id}`,
	status: 'waiting',
	priority: 'medium',
	...change,
});
const boxes = (...lines: string[]) => boxTasks(parseTasks(`## Tasks\n\n${lines.join('\n')}\n`).boxes);

test.each([
	['[high] Sign in', 'high'],
	['Sign in (P0)', 'critical'],
	['Sign in (priority: low)', 'low'],
	['Sign in !urgent', 'critical'],
	['P1: sign in', 'high'],
	['Sign in, priority: critical', 'critical'],
	['Handle high load', undefined],
	['Show the low-power page', undefined],
	['- [ ] [P] side by side', undefined],
])('R1271 "%s" is marked as %s', (text, priority) => {
	expect(writtenPriority(text)).toBe(priority);
});

test('R1271 the priority is read where it is written: in a todo, a box and a plan made of a task file', () => {
	const todos = todoTasks([{ content: 'a', priority: 'high' }, { content: 'b', priority: 7 }, { content: '[low] c' }]);
	expect(todos.map(({ priority }) => priority)).toEqual(['high', 'medium', 'low']);
	expect(boxes('- [ ] [high] Sign in', '- [ ] Docs').map(({ priority }) => priority)).toEqual(['high', 'medium']);
	const file = readTaskFile(
		'task_decomposition:\n  subtasks:\n    - id: a\n      description: Build it\n      priority: critical\n',
	);
	const source = { id: 'x', at: '2026-11-22T10:00:00.000Z', taskFile: 't', request: 'go' };
	const read = parseRoutingState(buildPlan(file ?? { groups: [] }, source));
	expect(read.ok && planTasks(read.plan)).toMatchObject([{ id: 'plan:a', priority: 'critical' }]);
});

test('R1271 the recommendation says why where something written decided it, and not where it is merely the next', () => {
	const done = task('a');
	const nextAmong = (...rest: Task[]) =>
		completionFallback({ completedTask: done, allTasks: [done, ...rest], completedTaskFiles: [] }, 'no model');
	expect(nextAmong(task('b'), task('c', { priority: 'high' }))).toMatchObject({
		because: 'its priority is high',
		suggestions: ['Recommended next task: task c (c), because its priority is high.'],
	});
	expect(nextAmong(task('b', { blockedBy: ['c'] }), task('c')).because).toBe('the ones before it wait for open tasks');
	expect(nextAmong(task('b', { blockedBy: ['a'], status: 'blocked' }), task('c')).because).toBe(
		'what it waited for is done',
	);
	const plain = nextAmong(task('b'), task('c'));
	expect([plain.nextTask?.id, plain.because]).toEqual(['b', undefined]);
});

test('R1272 boxes below another are its subtasks, with its priority, and come before it', () => {
	const tasks = boxes('- [ ] Docs', '- [ ] [high] Sign in', '  - [ ] Form', '\t- [x] Session', '- [ ] Release');
	expect(tasks.map(({ parentId, priority }) => [parentId, priority])).toEqual([
		[undefined, 'medium'],
		[undefined, 'high'],
		['box:2', 'high'],
		['box:3', 'high'],
		[undefined, 'medium'],
	]);
	expect(nextByPriority(tasks.filter(isRemaining))?.task.id).toBe('box:3');
});

test('R1272 what an entry waits for is read by place and by label; other words in brackets name nothing', () => {
	const entries = boxes(
		'- [ ] T001 Plan `schema.sql`',
		'- [ ] T002 Build src/auth/login.ts (depends on T001)',
		'- [ ] Test it (after 1 and #2)',
		'- [ ] Wait (after 2 days)',
		'- [ ] Ship (blocked by 9)',
	);
	const blockers = [undefined, ['box:1'], ['box:1', 'box:2'], undefined, undefined];
	expect(entries.map(({ blockedBy }) => blockedBy)).toEqual(blockers);
	const blocked = ['waiting', 'blocked', 'blocked', 'waiting', 'waiting'];
	expect(withBlocked(entries).map(({ status }) => status)).toEqual(blocked);
	expect(entries.map(({ relatedFiles }) => relatedFiles).slice(0, 3)).toEqual([
		['schema.sql'],
		['src/auth/login.ts'],
		undefined,
	]);
	expect(namedFiles('See https://a.b/c.ts, e.g. Node.js and "lib/x.ts".')).toEqual(['lib/x.ts']);
});

test('R1272 a plan waits phase for phase; what was skipped is over', () => {
	const phases = [
		{ phase: 1, tasks: [{ id: 'a', agent: 'architect', status: 'completed' }] },
		{
			phase: 2,
			tasks: [
				{ id: 'b', agent: 'developer', status: 'pending' },
				{ id: 'c', agent: 'tester', status: 'skipped' },
			],
		},
		{ phase: 3, tasks: [{ id: 'd', agent: 'reviewer', status: 'pending' }] },
	];
	const tasks = withBlocked(planTasks({ planId: 'p', status: 'pending', phases }));
	expect(tasks.map(({ status }) => status)).toEqual(['completed', 'waiting', 'abandoned', 'blocked']);
	expect(planTasks({ planId: 'p', status: 'completed', phases })).toEqual([]);
});

test('R1272 a subtask waits for what its parent waits for, and circles hold nothing up for ever', () => {
	const parent = task('p', { blockedBy: ['x'], priority: 'critical' });
	const child = task('c', { parentId: 'p', priority: 'critical' });
	expect(nextByPriority([parent, child, task('x')])?.task.id).toBe('x');
	const circle = [task('a', { parentId: 'b' }), task('b', { parentId: 'a' })];
	expect(nextByPriority(circle)?.task.id).toBe('a');
});
