import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { routingEnforcer } from '#lib/gates/routing-enforcer/routing-enforcer-gate.ts';
import { makeWorkflowRig, type WorkflowRig } from '../../testing/workflow-rig.ts';
import { commitRelease, release } from '../release.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => {
	for (const event of rig.recorded()) expect(isKnown(parseEvent(event) as never), JSON.stringify(event)).toBe(true);
	rig.remove();
});

const FILE = 'shop/.vibe-engine/routing-state.json';
const writePlan = (agents: string[], more: object = { maxRetries: 3, currentRetry: 0 }) => {
	const tasks = agents.map((agent, index) => ({
		id: `task-${index + 1}`,
		agent,
		description: `do ${agent}`,
		status: 'pending',
	}));
	rig.writeFile(FILE, JSON.stringify({ planId: 'route-1', status: 'pending', phases: [{ phase: 1, tasks }], ...more }));
};
const plan = () => JSON.parse(rig.read(FILE)) as { status: string; phases: { tasks: { status: string }[] }[] };
const states = () => plan().phases.flatMap((phase) => phase.tasks.map((task) => task.status));
const planStatuses = () =>
	rig
		.recorded()
		.filter((event) => event.type === 'routing:plan')
		.map((event) => event.status);
const settings = (gates: object) => rig.writeFile('home/config.json', JSON.stringify({ gates }));

describe('R282 progress of a plan', () => {
	it('R282 is written with every start and end, and each change is an event', () => {
		writePlan(['developer', 'tester']);
		rig.ask('developer');
		expect([plan().status, ...states()]).toEqual(['in_progress', 'executing', 'pending']);
		rig.hook('SubagentStop', { agent_id: 'a', agent_type: 'core:developer', last_assistant_message: 'done' });
		expect(states()).toEqual(['completed', 'pending']);
		rig.runAgent('tester');
		expect([plan().status, ...states()]).toEqual(['completed', 'completed', 'completed']);
		expect(planStatuses()).toEqual(['pending', 'in_progress', 'in_progress', 'in_progress', 'completed']);
	});

	it('an end that is posted of an agent that never started ends no task', () => {
		writePlan(['developer', 'tester']);
		rig.ask('developer');
		rig.hook('SubagentStart', { agent_id: 'a', agent_type: 'developer' });
		for (const agent_type of ['developer', 'tester']) rig.hook('SubagentStop', { agent_id: 'b', agent_type });
		expect(states()).toEqual(['executing', 'pending']);
		rig.hook('SubagentStop', { agent_id: 'a', agent_type: 'developer' });
		expect(states()).toEqual(['completed', 'pending']);
	});

	it('R282 a denied call starts nothing, and an agent whose API call failed fails its task', () => {
		writePlan(['developer']);
		rig.ask('architect');
		expect(states()).toEqual(['pending']);
		rig.ask('developer');
		rig.hook('StopFailure', { agent_id: 'a', agent_type: 'developer', error: 'overloaded' });
		expect([plan().status, ...states()]).toEqual(['failed', 'failed']);
	});

	it('R282 a call that the client could not start fails its task, with the client’s words', () => {
		writePlan(['developer', 'tester']);
		const call = { tool_name: 'Agent', tool_use_id: 'toolu_x', tool_input: { subagent_type: 'core:developer' } };
		rig.hook('PreToolUse', call);
		rig.hook('PostToolUseFailure', { ...call, tool_name: 'Bash', error: 'something else' });
		expect(states()).toEqual(['executing', 'pending']);
		rig.hook('PostToolUseFailure', { ...call, error: 'unknown agent' });
		expect(plan().phases[0]?.tasks).toMatchObject([
			{ status: 'failed', error: 'unknown agent' },
			{ status: 'pending' },
		]);
	});

	it('an approved start marks its task too, once the decision is durable', () => {
		writePlan(['developer']);
		rig.start('quick');
		settings({ stageGuard: { enabled: true } });
		writePlan(['code-reviewer']);
		const { held } = rig.ask('code-reviewer');
		if (!held) throw new Error('not held');
		const released = release(held, { decision: 'approve' }, rig.ports);
		expect(released.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
		expect(states()).toEqual(['pending']);
		commitRelease(held, released, rig.ports);
		expect([plan().status, ...states()]).toEqual(['in_progress', 'executing']);
		expect(planStatuses().at(-1)).toBe('in_progress');
	});

	it('R282 a plan without a budget of retries keeps every byte', () => {
		writePlan(['developer'], {});
		const before = rig.read(FILE);
		rig.runAgent('developer');
		expect(rig.stop().output).toBeNull();
		expect(rig.read(FILE)).toBe(before);
		expect(planStatuses()).toEqual(['pending']);
	});
});

describe('R283 the agent does not stop before its plan is done', () => {
	it('R283 refuses twice, then the plan has failed', () => {
		writePlan(['developer', 'tester']);
		for (const retry of [1, 2]) {
			expect(rig.stop().output).toEqual({
				decision: 'block',
				reason: `The routing plan route-1 is not finished (retry ${retry} of 3). Delegate its open tasks:\n- developer: do developer\n- tester: do tester`,
			});
		}
		expect(rig.stop().output).toEqual({ systemMessage: expect.stringContaining('it is failed') });
		expect(plan().status).toBe('failed');
		expect(rig.stop().output).toBeNull();
		const verdicts = rig.recorded().filter((event) => event.gate === 'routing-completion');
		expect(verdicts.map((event) => event.rule)).toEqual([
			'routing.open-tasks',
			'routing.open-tasks',
			'routing.retries-used-up',
		]);
	});

	it('R283 waits for agents in the background and believes a declaration', () => {
		writePlan(['developer']);
		const task = { id: 'a', type: 'subagent', status: 'running' };
		expect(rig.stop({ background_tasks: [task] }).output).toBeNull();
		expect(rig.stop({ last_assistant_message: 'All done. [Routing Complete: route-1]' }).output).toMatchObject({
			systemMessage: expect.stringContaining('completed'),
		});
		expect(plan().status).toBe('completed');
	});

	it('R283 a setting asks it of every plan, or of none', () => {
		writePlan(['developer'], {});
		settings({ routingCompletion: { enabled: true } });
		expect(rig.stop().output).toMatchObject({ decision: 'block' });
		writePlan(['developer']);
		settings({ routingCompletion: { enabled: false } });
		expect(rig.stop().output).toBeNull();
	});

	it('R283 with a workflow that is not done both reasons are given, and a repeated run prints the same', () => {
		writePlan(['developer']);
		rig.start('single');
		const { output } = rig.stop();
		expect(output).toMatchObject({
			decision: 'block',
			reason: expect.stringMatching(/workflow single[\s\S]*routing plan route-1/),
		});
		const last = rig.recorded().findLast((event) => event.gate === 'routing-completion');
		const again = rig.ports.recorded('s1', [String(last?.requestId)])?.decision;
		expect(again).toMatchObject({ decision: 'deny', reason: output?.reason });
	});
});

describe('R281 a task file becomes a plan', () => {
	const yaml = 'task_decomposition:\n  subtasks:\n    - id: t1\n      description: implement\n      agent: developer\n';
	it('R281 once, when a prompt asks for work and no plan is active', () => {
		rig.writeFile('shop/.vibe-engine/tasks/task-1.yaml', yaml);
		expect(rig.hook('UserPromptSubmit', { prompt: 'what is this?' }).output).toBeNull();
		const made = rig.hook('UserPromptSubmit', { prompt: 'build it' }).output;
		expect(made).toMatchObject({
			systemMessage: expect.stringContaining('1. developer (implement)'),
			hookSpecificOutput: {
				hookEventName: 'UserPromptSubmit',
				additionalContext: expect.stringContaining('developer'),
			},
		});
		expect(planStatuses()).toEqual(['pending']);
		expect(rig.ask('architect').held?.denials).toMatchObject([{ gate: 'routing-plan' }]);
		rig.runAgent('developer');
		expect(plan().status).toBe('completed');
		expect(rig.hook('UserPromptSubmit', { prompt: 'build it again' }).output).toBeNull();
		rig.writeFile('shop/.vibe-engine/tasks/task-2.yaml', yaml);
		expect(rig.hook('UserPromptSubmit', { prompt: 'build the next' }).output).not.toBeNull();
	});

	it('R281 never through a link out of the project', () => {
		mkdirSync(join(rig.home, 'elsewhere/tasks'), { recursive: true });
		rig.writeFile('home/elsewhere/tasks/task-1.yaml', yaml);
		symlinkSync(join(rig.home, 'elsewhere'), join(rig.project, '.vibe-engine'));
		expect(rig.hook('UserPromptSubmit', { prompt: 'build it' }).output).toBeNull();
		expect(existsSync(join(rig.home, 'elsewhere/routing-state.json'))).toBe(false);
	});
});

describe('R280 the routing enforcer', () => {
	const write = (more: object = {}) =>
		rig.hook('PreToolUse', {
			tool_name: 'Write',
			tool_use_id: `w${Math.random()}`,
			tool_input: { file_path: 'a' },
			...more,
		});

	it('R280 is silent unless it is switched on, without a plan, and inside sub-agents', () => {
		writePlan(['developer']);
		expect(write().output).toBeNull();
		settings({ routingEnforcer: { enabled: true } });
		expect(write({ agent_id: 'a' }).output).toBeNull();
		expect(write({ tool_name: 'Read' }).output).toBeNull();
		writePlan(['developer'], { status: 'completed' });
		expect(write().output).toBeNull();
		expect(rig.types()).toContain('tool:call');
	});

	it('R280 denies the main agent writing and commands while its plan has open tasks; a person may override it', () => {
		writePlan(['developer']);
		settings({ routingEnforcer: { enabled: true } });
		for (const tool_name of ['Write', 'Edit', 'Bash', 'NotebookEdit', 'EnterPlanMode']) {
			const denied = write({ tool_name });
			expect(denied.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
			expect(denied.output).not.toHaveProperty('continue');
			expect(denied.held).toMatchObject({ decision: { decision: 'deny' }, denials: [{ gate: 'routing-enforcer' }] });
			if (!denied.held) throw new Error('not held');
			const released = release(denied.held, { decision: 'approve' }, rig.ports);
			expect(released.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
		}
		expect(rig.types()).not.toContain('agent:delegate');
		const facts = rig.recorded().findLast((event) => event.gate === 'routing-enforcer')?.facts as Record<
			string,
			unknown
		>;
		const print = (change: object) =>
			routingEnforcer.fingerprint?.({ ...facts, does: 'edit-file', tool: 'Edit', target: 'a.ts', ...change })?.key ??
			null;
		expect(print({ autoFix: true })).toBe(print({}));
		const others = [{}, { tool: 'Bash' }, { target: 'b.ts' }, { target: null }].map(print);
		expect(new Set(others).size).toBe(4);
		rig.writeFile(
			'shop/.vibe-engine/auto-fix-state.json',
			JSON.stringify({ active: true, iteration: 1, timestamp: Date.parse('2026-02-23T14:00:00Z') }),
		);
		expect(write().output).toBeNull();
	});
});
