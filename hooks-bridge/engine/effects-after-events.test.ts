import { expect, it } from 'vitest';
import { type MemoryPorts, memoryPorts } from '../testing/memory-ports.ts';
import { respond } from './respond.ts';
import { startWorkflow } from './workflow/run-workflow.ts';

const PLAN = '/shop/.vibe-engine/routing-state.json';
const tasks = [{ agent: 'developer', description: 'build', status: 'pending' }];
const plan = JSON.stringify({ planId: 'p', status: 'pending', maxRetries: 3, currentRetry: 0, phases: [{ tasks }] });
const agent = { agent_id: 'a', agent_type: 'ot:developer' };
const call = { tool_name: 'Agent', tool_use_id: 't', tool_input: { subagent_type: 'ot:developer' } };
const lastMessage = 'Built it. <!-- VERDICT: {"result": "PASS"} -->';
const HOOKS: readonly (readonly [string, object])[] = [
	['SessionStart', { source: 'startup' }],
	['UserPromptSubmit', { prompt: 'build it' }],
	['PreToolUse', call],
	['SubagentStart', agent],
	['PostToolUseFailure', { tool_name: 'Bash', tool_use_id: 'b', tool_input: { command: 'npm test' }, error: 'x' }],
	['SubagentStop', { ...agent, last_assistant_message: lastMessage }],
	['PostToolUse', { ...call, tool_response: {} }],
	['Stop', {}],
];

/** A project with a plan and a workflow; what is appended and what is done are noted in order. */
function open() {
	const ports = memoryPorts({ [PLAN]: plan });
	startWorkflow({ sessionId: 's1', project: '/shop', requestId: 'start', ports }, 'quick', 'cart');
	const done: string[] = [];
	const note =
		<A extends unknown[], R>(name: string, work: (...args: A) => R) =>
		(...args: A): R => {
			done.push(name);
			return work(...args);
		};
	ports.append = note('append', ports.append);
	ports.editProjectFile = note('edit', ports.editProjectFile);
	ports.features = { ...ports.features, tick: note('tick', ports.features.tick) };
	const { prepare, writeHandoff, observe } = ports.sessionFiles;
	const noted = { prepare: note('prepare', prepare), observe: note('observe', observe) };
	ports.sessionFiles = { ...ports.sessionFiles, ...noted, writeHandoff: note('handoff', writeHandoff) };
	return { ports, done };
}

function send(ports: MemoryPorts, [hook_event_name, fields]: readonly [string, object], requestId = hook_event_name) {
	const input = { session_id: 's1', cwd: '/shop', hook_event_name, ...fields };
	return respond(input, { requestId, profile: 'open' }, ports);
}

it('the events of a hook are recorded before its effects, whatever it is', () => {
	const { ports, done } = open();
	const all = HOOKS.flatMap((hook) => {
		done.length = 0;
		send(ports, hook);
		expect([hook[0], done[0]]).toEqual([hook[0], 'append']);
		return done;
	});
	expect(new Set(all)).toEqual(new Set(['append', 'edit', 'tick', 'prepare', 'observe', 'handoff']));
});

it('without recorded events there are no effects', () => {
	const { ports, done } = open();
	ports.append = () => {
		throw new Error('ENOSPC');
	};
	for (const hook of HOOKS) send(ports, hook);
	expect(done).toEqual([]);
});

it('an effect that fails keeps back neither the answer nor the effects after it, and is recorded', () => {
	const { ports, done } = open();
	for (const hook of HOOKS.slice(0, 5)) send(ports, hook);
	ports.sessionFiles.writeHandoff = () => {
		throw new Error('ENOSPC');
	};
	const answer = send(ports, ['SubagentStop', { ...agent, last_assistant_message: lastMessage }]);
	expect(answer).toMatchObject({
		output: { systemMessage: expect.stringContaining('DEV') },
		problem: expect.stringContaining('ENOSPC'),
	});
	expect(done.slice(-5)).toEqual(expect.arrayContaining(['tick', 'observe', 'edit']));
	expect(ports.all().at(-1)).toMatchObject({ type: 'system:warning', message: expect.stringContaining('ENOSPC') });
});

it('a run that is judged again does nothing again', () => {
	const { ports, done } = open();
	for (const hook of HOOKS) send(ports, hook);
	const { recorded } = ports;
	// As if another process had recorded it.
	ports.recorded = (...query) => {
		const found = recorded(...query);
		return found && { ...found, isOwn: false };
	};
	done.length = 0;
	for (const hook of HOOKS) send(ports, hook);
	expect(done.filter((name) => name !== 'append')).toEqual([]);
});
