import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HookAt } from '#lib/agents/agent-hook.ts';
import { completionCall, textAfter } from '#lib/validators/completion-call.ts';
import { spawnRequest } from '#lib/validators/spawn-request.ts';
import { readCall } from './claude-code.ts';

const callHook = (tool: string, input: unknown): HookAt<'call'> => ({
	agent: 'claude-code',
	at: 'call',
	name: 'PreToolUse',
	sessionId: 's',
	raw: {},
	call: readCall(tool, input),
});

test('whatever an agent sends, reading it neither throws nor finds what is not there', () => {
	const tool = fc.constantFrom('TaskUpdate', 'TodoWrite', 'Edit', 'Write', 'MultiEdit', 'Bash', 'AgentShell', 'Agent');
	fc.assert(
		fc.property(tool, fc.jsonValue(), (name, input) => {
			const hook = callHook(name, input);
			const call = completionCall(hook);
			if (call?.kind === 'boxes') textAfter('- [ ] a', call);
			spawnRequest(hook.call);
			const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
			if (!isObject) expect(call).toBeNull();
		}),
		{ numRuns: 300 },
	);
});

test('R584 an edit is read as the client would do it', () => {
	const path = '/p/specs/features/in-progress/user-login/tasks.md';
	const call = (input: object) => completionCall(callHook('Edit', { file_path: path, ...input }));
	const once = call({ old_string: '[ ]', new_string: '[x] $&' });
	const all = call({ old_string: '[ ]', new_string: '[x]', replace_all: true });
	if (once?.kind !== 'boxes' || all?.kind !== 'boxes') throw new Error('not read as boxes');
	expect(textAfter('- [ ] a\n- [ ] b\n', once)).toBe('- [x] $& a\n- [ ] b\n');
	expect(textAfter('- [ ] a\n- [ ] b\n', all)).toBe('- [x] a\n- [x] b\n');
	expect(once.feature).toBe('user-login');
	for (const other of [
		'/p/tasks.md',
		'/p/specs/features/archive/x/tasks.md',
		'/p/specs/features/in-progress/../tasks.md',
	]) {
		expect(completionCall(callHook('Edit', { file_path: other, old_string: 'a', new_string: 'b' }))).toBeNull();
	}
});

test('a command that is no text does not count as harmless', () => {
	for (const input of [{ command: ['rm'] }, {}, 'rm', null, [], { command: 7 }]) {
		expect(readCall('Bash', input).deed).toEqual({ does: 'run-command', line: null });
	}
});

test('R280 five tools do work of their own; reading, searching, delegating, asking and any other tool do none', () => {
	const working = ['edit-file', 'run-command', 'enter-plan-mode'];
	const tools = ['Write', 'Edit', 'Bash', 'NotebookEdit', 'EnterPlanMode'];
	const free = [
		'Read',
		'Grep',
		'Glob',
		'WebFetch',
		'WebSearch',
		'Task',
		'Agent',
		'TodoWrite',
		'AskUserQuestion',
		'write',
	];
	const isWork = (tool: string) => working.includes(readCall(tool, {}).deed.does);
	expect([...tools, ...free].filter(isWork)).toEqual(tools);
});
