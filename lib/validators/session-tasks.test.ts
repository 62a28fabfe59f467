import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { sessionTasks } from './session-tasks.ts';
import { findParent } from './spawn-request.ts';
import { memoryOf, nextByPriority, type Task, withBlocked } from './task.ts';

let seq = 0;
const event = (type: string, fields: Record<string, unknown>): IndexedEvent => {
	seq += 1;
	const envelope = { id: String(seq), ts: '2026-11-22T10:00:00.000Z', category: '', label: '', sessionId: 's1' };
	return { ...envelope, seq, type, ...fields } as unknown as IndexedEvent;
};
const ran = (tool: string, toolUseId: string, input: unknown, response: unknown = {}) => [
	event('tool:call', { tool, toolUseId, input }),
	event('tool:result', { tool, toolUseId, response }),
];

test('the client’s tasks, their order of waiting and their files are read from the events', () => {
	const session = sessionTasks([
		...ran('TaskCreate', 'a', { subject: 'Write tests' }, { task: { id: '1', subject: 'Write tests' } }),
		...ran('TaskCreate', 'b', { subject: 'Docs' }, { task: { id: '2', subject: 'Docs' } }),
		...ran('TaskUpdate', 'c', { taskId: '2', addBlockedBy: ['1', 5] }, { success: true }),
		...ran('Edit', 'd', { file_path: 'a.ts' }),
		...ran('TaskUpdate', 'e', { taskId: '1', status: 'completed' }, { success: true }),
		...ran('Write', 'f', { file_path: 'b.ts' }),
		...ran('TaskUpdate', 'g', { taskId: '2', status: 'completed' }, { success: false }),
		...ran('TaskUpdate', 'h', { taskId: '9', status: 'completed' }),
		event('todo:update', { todos: [{ content: 'x', status: 'in_progress' }], agentId: 'helper' }),
	]);
	expect(session.tasks).toMatchObject([
		{ id: '1', status: 'completed', filesModified: ['a.ts'] },
		{ id: '2', status: 'waiting', blockedBy: ['1'] },
	]);
	expect(session.files).toEqual(['b.ts']);
	expect([session.todos.get('helper')?.[0]?.status, session.todos.get('')]).toEqual(['active', undefined]);
});

test('R1273 a task that another blocks waits for it, whichever of the two names the other', () => {
	const session = sessionTasks([
		...ran('TaskCreate', 'a', { subject: 'Deploy' }, { task: { id: '1' } }),
		...ran('TaskCreate', 'b', { subject: 'Migrate' }, { task: { id: '2' } }),
		...ran('TaskCreate', 'c', { subject: 'Announce' }, { task: { id: '3' } }),
		...ran('TaskUpdate', 'd', { taskId: '2', addBlocks: ['1', 'x', 4] }, { success: true }),
		...ran('TaskUpdate', 'e', { taskId: '3', addBlockedBy: ['1'] }, { success: true }),
		...ran('TaskUpdate', 'f', { taskId: '3', addBlocks: ['2'] }, { success: false }),
	]);
	expect(session.tasks.map(({ blockedBy }) => blockedBy)).toEqual([['2'], undefined, ['1']]);
	const remaining = withBlocked(session.tasks);
	expect(remaining.map(({ status }) => status)).toEqual(['blocked', 'waiting', 'blocked']);
	expect(nextByPriority(remaining)?.task.id).toBe('2');
});

test('R1272 a task has the parent, priority and files that it says, or the task that its sub-agent was started for', () => {
	const metadata = { priority: 'high', parent_task_id: '1', files: ['db/up.sql', 3] };
	const session = sessionTasks([
		...ran('TaskCreate', 'a', { subject: 'Release', description: 'see docs/release.md' }, { task: { id: '1' } }),
		...ran('TaskCreate', 'b', { subject: 'Migrate', metadata }, { task: { id: '2' } }),
		...ran('TaskUpdate', 'c', { taskId: '1', metadata: { priority: 'low' } }, { success: true }),
		event('tool:call', { tool: 'Agent', toolUseId: 'd', input: { parent_task_id: '2' } }),
		event('agent:start', { agent: 'developer', agentId: 'helper', toolUseId: 'd' }),
		event('tool:call', { tool: 'TaskCreate', toolUseId: 'e', agentId: 'helper', input: { subject: 'Dump [P0]' } }),
		event('tool:result', { tool: 'TaskCreate', toolUseId: 'e', agentId: 'helper', response: { task: { id: '3' } } }),
	]);
	expect(session.tasks).toMatchObject([
		{ id: '1', priority: 'low', relatedFiles: ['docs/release.md'] },
		{ id: '2', priority: 'high', parentId: '1', relatedFiles: ['db/up.sql'] },
		{ id: '3', priority: 'critical', parentId: '2' },
	]);
});

test('whatever an agent sends, reading it neither throws nor finds what is not there', () => {
	const tool = fc.constantFrom('TaskCreate', 'TaskUpdate', 'TodoWrite', 'Edit', 'Write', 'AgentShell', 'Agent');
	fc.assert(
		fc.property(tool, fc.jsonValue(), fc.jsonValue(), (name, input, response) => {
			sessionTasks(ran(name, 'x', input, response));
		}),
		{ numRuns: 300 },
	);
});

test('R554 a goal, a finished piece and a short word are no parents', () => {
	const task = (id: string, description: string, change: Partial<Task> = {}): Task => ({
		id,
		description,
		status: 'waiting',
		priority: 'medium',
		...change,
	});
	const find = (description: string, ...tasks: Task[]) => findParent({ description, prompt: '' }, memoryOf(tasks));
	const pieces = [task('todo:1', 'Write the login form'), task('todo:2', 'Store the sessions')];
	expect(find('write the LOGIN form!', ...pieces)).toBe('todo:1');
	expect(find('Write the login formatter', ...pieces)).toBeUndefined();
	expect(find('Build the login', task('todo:1', 'Build the login', { status: 'active' }))).toBeUndefined();
	expect(find('Build the login', task('1', 'Build the login', { parentId: '0' }))).toBe('1');
	expect(find('Fix', task('todo:1', 'Fix'), task('todo:2', 'Ship'))).toBeUndefined();
	const done = pieces.map((one) => ({ ...one, status: 'completed' as const }));
	expect(find('Write the login form', ...done)).toBeUndefined();
});
