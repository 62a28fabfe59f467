import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import type { ModelRequest } from '../../testing/scripted-model.ts';
import { operator } from '../../testing/service-rig.ts';
import { startValidators, type ValidatorsRig, type ValidatorsRigOptions } from '../../testing/validators-rig.ts';

const rigs: ValidatorsRig[] = [];
afterEach(async () => {
	for (const rig of rigs.splice(0)) await rig.stop();
});

async function open(options: ValidatorsRigOptions) {
	const rig = await startValidators(options);
	rigs.push(rig);
	return rig;
}

const next = (id: string | null) => ({
	nextTaskId: id,
	nextTaskDescription: 'Write the docs',
	needsBreakdown: true,
	breakdownReason: 'many pages',
	hasIntegrationDependencies: false,
	integrationFiles: [],
	reviewTasks: [],
});
const follows = (id: string) => ({
	json: { nextTask: next(id), workflowContinuity: { hasLogicalNext: true, reason: 'docs follow' } },
});
const unclear = {
	json: { nextTask: null, workflowContinuity: { hasLogicalNext: false, reason: 'Tests are missing.' } },
};

const call = (hook: 'PreToolUse' | 'PostToolUse', tool: string, id: string, input: unknown, response?: unknown) => ({
	hook_event_name: hook,
	tool_name: tool,
	tool_use_id: id,
	tool_input: input,
	...(response !== undefined && { tool_response: response }),
});
const both = (tool: string, id: string, input: unknown, response: unknown) => [
	call('PreToolUse', tool, id, input),
	call('PostToolUse', tool, id, input, response),
];
const created = (id: string, subject: string) =>
	both('TaskCreate', `c${id}`, { subject, description: 'all' }, { task: { id, subject } });
const completing = (id: string) => call('PreToolUse', 'TaskUpdate', `u${id}`, { taskId: id, status: 'completed' });
const completed = (id: string) => ({
	hook_event_name: 'TaskCompleted',
	task_id: id,
	task_subject: `Task ${id}`,
	task_description: 'all',
});

test('R580 a task with a logical next one is completed; warnings and the next task reach the agent as context', async () => {
	const rig = await open({ script: [follows('2')] });
	await rig.sendHooks(
		...created('1', 'Write tests'),
		...created('2', 'Write the docs'),
		...both('Write', 'w1', { file_path: 'src/a.ts', content: '' }, {}),
	);
	const { output } = await rig.hook(completing('1'));
	expect(output.hookSpecificOutput).toEqual({
		hookEventName: 'PreToolUse',
		additionalContext: expect.stringMatching(
			/should be broken down: many pages.*Recommended next task: Write the docs/s,
		),
	});
	expect(rig.ofType('validator:assessment')).toMatchObject([
		{ allowed: true, subject: 'Write tests', nextTask: { id: '2', description: 'Write the docs' }, toolUseId: 'u1' },
	]);
	expect(rig.model?.requests[0]?.text).toContain('src/a.ts');
});

test('R580 while tasks remain and none follows, completing is denied; a person may override it', async () => {
	const rig = await open({ script: [unclear], presence: 'here' });
	await rig.sendHooks(...created('1', 'Write tests'), ...created('2', 'Write the docs'));
	const printed = rig.hook(completing('1'));
	const approval = await rig.waiting();
	expect(approval.denials).toMatchObject([{ gate: 'completion-validator', rule: 'completion.no-logical-next' }]);
	await rig.service.decide(approval.id, { decision: 'approve' }, operator);
	expect((await printed).output.hookSpecificOutput.permissionDecision).toBe('allow');
	const again = await rig.hook(completed('1'));
	expect(again.output).toBeNull();
	expect(rig.model?.requests).toHaveLength(1);
});

test('R581 TaskCompleted alone is blocked in its own form', async () => {
	const rig = await open({ script: [unclear] });
	await rig.sendHooks(...created('1', 'Write tests'), ...created('2', 'Write the docs'));
	const { output } = await rig.hook(completed('1'));
	expect(output).toEqual({ decision: 'block', reason: expect.stringContaining('Tests are missing.') });
	expect(rig.ofType('gate:verdict').at(-1)).toMatchObject({ hook: 'TaskCompleted', decision: 'deny' });
});

test('R581 the last task is completed without a question, and nothing is recorded', async () => {
	const rig = await open({ script: [unclear] });
	await rig.sendHooks(...created('1', 'Write tests'));
	expect((await rig.hook(completing('1'))).output).toBeNull();
	expect((await rig.hook(completed('1'))).output).toBeNull();
	expect(rig.model?.requests).toEqual([]);
	expect(rig.ofType('validator:assessment')).toEqual([]);
});

test('R582 without a model the next task goes by priority and dependencies, and the agent learns which and why', async () => {
	const rig = await open({});
	await rig.sendHooks(
		...created('1', 'Write tests'),
		...created('2', 'Write the docs'),
		...created('3', 'Release'),
		...both('TaskUpdate', 'b2', { taskId: '3', addBlocks: ['2'] }, { success: true }),
	);
	const { output } = await rig.hook(completing('1'));
	expect(output.hookSpecificOutput).toEqual({
		hookEventName: 'PreToolUse',
		additionalContext: 'Recommended next task: Release (3), because the ones before it wait for open tasks.',
	});
	expect(rig.ofType('validator:assessment')).toMatchObject([
		{ allowed: true, fallback: true, fallbackReason: 'no model configured', nextTask: { id: '3' } },
	]);
	expect(rig.ofType('gate:verdict')).toMatchObject([{ decision: 'pass', rule: 'completion.by-priority' }]);
});

test('R582 an agent hears nothing of what is merely the next of its list; a caller that cannot wait never does', async () => {
	const rig = await open({});
	await rig.sendHooks(...created('1', 'Write tests'), ...created('2', 'Write the docs'), ...created('3', 'Release'));
	expect((await rig.hook(completing('1'))).output).toBeNull();
	expect(rig.ofType('validator:assessment')).toMatchObject([{ fallback: true, nextTask: { id: '2' } }]);
	await rig.sendHooks(...created('4', 'Mend it [P0]'));
	const { status, body } = await rig.post(completing('2'));
	expect([status, body]).toEqual([200, '']);
	await expect.poll(() => rig.ofType('validator:assessment').at(-1)).toMatchObject({ nextTask: { id: '4' } });
});

test('R583 a todo that is completed now is validated, one that was before is not', async () => {
	const rig = await open({ script: [follows('todo:2')] });
	const list = (one: string, two: string) => ({
		todos: [
			{ content: 'Write tests', status: one },
			{ content: 'Write the docs', status: two },
		],
	});
	await rig.sendHooks(...both('TodoWrite', 't1', list('in_progress', 'pending'), {}));
	const done = list('completed', 'pending');
	const { output } = await rig.hook(call('PreToolUse', 'TodoWrite', 't2', done));
	expect(output.hookSpecificOutput.additionalContext).toContain('Recommended next task: Write the docs');
	await rig.sendHooks(call('PostToolUse', 'TodoWrite', 't2', done, {}));
	const { output: later } = await rig.hook(call('PreToolUse', 'TodoWrite', 't3', list('completed', 'in_progress')));
	expect(later).toBeNull();
	expect(rig.model?.requests).toHaveLength(1);
	expect(rig.ofType('validator:assessment')).toMatchObject([{ subject: 'Write tests' }]);
});

test('R584 a box of a feature that is ticked is validated before it is', async () => {
	const rig = await open({ script: [unclear] });
	const path = join(rig.project, 'specs/features/in-progress/user-login/tasks.md');
	mkdirSync(dirname(path), { recursive: true });
	const text = '## Tasks\n\n- [x] Plan it\n- [ ] Write tests\n- [ ] Write the docs\n';
	writeFileSync(path, text);
	const edit = { file_path: path, old_string: '- [ ] Write tests', new_string: '- [x] Write tests' };
	const { output } = await rig.hook(call('PreToolUse', 'Edit', 'e1', edit));
	expect(output.hookSpecificOutput.permissionDecision).toBe('deny');
	expect(rig.ofType('validator:assessment')).toMatchObject([{ subject: 'Write tests' }]);
	const whole = { file_path: path, content: text.replace('- [ ] Write the docs', '- [X] Write the docs') };
	expect((await rig.hook(call('PreToolUse', 'Write', 'e2', whole))).output).not.toBeNull();
	expect(rig.ofType('validator:assessment').at(-1)).toMatchObject({ subject: 'Write the docs' });
	const words = { file_path: path, old_string: 'Write tests', new_string: 'Write all tests' };
	expect((await rig.hook(call('PreToolUse', 'Edit', 'e3', words))).output).toBeNull();
	expect(readFileSync(path, 'utf8')).toBe(text);
});

test('the recorded client’s own TaskCompleted is read, and the switch turns all of it off', async () => {
	const fixture = join(import.meta.dirname, '../../../e2e/fixtures/claude-code-hook-inputs.jsonl');
	const recorded = readFileSync(fixture, 'utf8')
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line))
		.map((line) => line.input ?? line)
		.find((input) => input.hook_event_name === 'TaskCompleted');
	expect(recorded).toMatchObject({ task_id: expect.any(String), task_subject: expect.any(String) });
	const asks = ({ text }: ModelRequest) => (text.includes('Write tests') ? unclear : follows('2'));
	const config = { gates: { completionValidator: { enabled: false } } };
	for (const off of [false, true]) {
		const rig = await open({ script: [asks], ...(off && { config }) });
		await rig.sendHooks(...created('1', 'Write tests'), ...created('2', 'Write the docs'));
		const { task_id, task_subject, task_description, hook_event_name } = recorded;
		const { output } = await rig.hook({ task_id, task_subject, task_description, hook_event_name });
		expect(output?.decision).toBe(off ? undefined : 'block');
	}
});
