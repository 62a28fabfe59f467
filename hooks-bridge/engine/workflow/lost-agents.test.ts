import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import { makeWorkflowRig, SESSION, type WorkflowRig } from '../../testing/workflow-rig.ts';
import { stopWorkflow } from './run-workflow.ts';

let rig: WorkflowRig;
beforeEach(() => {
	rig = makeWorkflowRig();
});
afterEach(() => {
	for (const event of rig.recorded()) expect(isKnown(parseEvent(event) as never), JSON.stringify(event)).toBe(true);
	rig.remove();
});

const textOf = (answer: { output: unknown }) => JSON.stringify(answer.output);
const of = (type: string) => rig.recorded().filter((event) => event.type === type);

/** An agent is requested and starts, but never reports its end. */
function lose(agent: string, call: string): void {
	rig.ask(agent, call);
	rig.hook('SubagentStart', { agent_id: `of-${call}`, agent_type: `ot:${agent}` });
}

/** Ends an agent that was lost: its own words come after all. */
const endsAfterAll = (agent: string, call: string, message: string) =>
	rig.hook('SubagentStop', { agent_id: `of-${call}`, agent_type: `ot:${agent}`, last_assistant_message: message });

const breaks: [string, object, () => void][] = [
	['was killed and is resumed', {}, () => rig.hook('SessionStart', { source: 'resume' })],
	[
		'ended and is resumed',
		{},
		() => rig.hook('SessionEnd', { reason: 'other' }) && rig.hook('SessionStart', { source: 'resume' }),
	],
	[
		'was killed, of a client without a list of its tasks',
		{ background_tasks: undefined },
		() => rig.hook('SessionStart', { source: 'startup' }),
	],
];

it.each(breaks)('an agent that was lost when its session %s holds nothing up', (_how, fields, comesBack) => {
	rig.start('quick');
	for (const agent of ['developer', 'code-reviewer']) rig.runAgent(agent);
	lose('tester', 'c1');
	comesBack();
	expect(rig.state()).toMatchObject({ activeAgents: {}, stages: { TEST: { status: 'pending' } } });
	expect(of('agent:error')).toMatchObject([{ agent: 'tester', stage: 'TEST', agentId: 'of-c1', toolUseId: 'c1' }]);
	expect(textOf(rig.hook('UserPromptSubmit', { prompt: 'go on' }))).toContain('Delegate tester (TEST) next');
	for (const agent of ['tester', 'retrospective']) rig.runAgent(agent);
	expect(textOf(rig.stop(fields))).toContain('is complete');
});

it('three agents that a session took with it are no three errors in a row', () => {
	rig.start('secure');
	for (const agent of ['planner', 'architect', 'tester', 'developer']) rig.runAgent(agent);
	for (const [index, agent] of ['code-reviewer', 'tester', 'security-reviewer'].entries()) lose(agent, `c${index}`);
	rig.hook('SessionEnd', { reason: 'prompt_input_exit' });
	rig.hook('SessionStart', { source: 'resume' });
	expect(rig.state('loop.json')).toMatchObject({ consecutiveErrors: 0 });
	expect(rig.stop().output).toMatchObject({ decision: 'block', reason: expect.stringContaining('in parallel') });
});

it('a compaction, and another prompt, lose nobody', () => {
	rig.start('quick');
	lose('developer', 'c1');
	rig.hook('SessionStart', { source: 'compact' });
	rig.hook('UserPromptSubmit', { prompt: 'and?' });
	expect(rig.state()).toMatchObject({ activeAgents: { developer: {} }, stages: { DEV: { status: 'active' } } });
	endsAfterAll('developer', 'c1', 'Built. <!-- VERDICT: {"result": "PASS"} -->');
	expect(of('stage:complete')).toMatchObject([{ stage: 'DEV', result: 'pass' }]);
});

it.each([
	['pass', 'pass', 'Delegate'],
	['fail', 'fail', 'TEST did not pass'],
])('when the last of several agents is lost, the stage ends with the %s of the others', (verdict, result, next) => {
	rig.start('quick');
	for (const agent of ['developer', 'code-reviewer']) rig.runAgent(agent);
	lose('tester', 'c1');
	rig.runAgent('tester', `Ran. <!-- VERDICT: {"result": "${verdict}"} -->`);
	expect(of('stage:complete').some(({ stage }) => stage === 'TEST')).toBe(false);
	const answer = rig.stop();
	expect(answer.output).toMatchObject({ decision: 'block', reason: expect.stringContaining(next) });
	expect(of('stage:complete').at(-1)).toMatchObject({ stage: 'TEST', result });
	expect(of('stage:retry')).toHaveLength(result === 'fail' ? 1 : 0);
	expect(of('parallel:converge')).toHaveLength(result === 'pass' ? 1 : 0);
	expect(rig.state()).toMatchObject({ activeAgents: {}, stages: { TEST: { attempts: [result] } } });
});

it.each([
	['its call failed', () => rig.hook('PostToolUseFailure', { tool_name: 'Agent', tool_use_id: 'c1', error: 'gone' })],
	[
		'its request failed',
		() => rig.hook('StopFailure', { agent_id: 'of-c1', agent_type: 'ot:tester', error: 'overloaded' }),
	],
	['its session ended', () => rig.hook('SessionEnd', { reason: 'other' })],
])('so it is where %s', (_how, end) => {
	rig.start('tdd');
	lose('tester', 'c1');
	rig.runAgent('tester');
	end();
	expect(of('stage:complete')).toMatchObject([{ stage: 'TEST', result: 'pass' }]);
	expect(rig.hook('UserPromptSubmit', { prompt: 'go on' }).output).not.toBeNull();
	expect(rig.state()).toMatchObject({ currentStage: 'DEV', stages: { TEST: { status: 'completed' } } });
});

it('a home with a stage that has no agent is repaired at the next stop', () => {
	rig.start('single');
	const stages = { DEV: { status: 'active', result: null, partial: 'pass' } };
	rig.writeFile(`home/sessions/${SESSION}/workflow.json`, JSON.stringify({ workflowType: 'single', stages }));
	expect(textOf(rig.stop())).toContain('is complete');
	rig.start('single');
	const idle = { DEV: { status: 'active', result: null } };
	rig.writeFile(`home/sessions/${SESSION}/workflow.json`, JSON.stringify({ workflowType: 'single', stages: idle }));
	expect(rig.stop().output).toMatchObject({ reason: expect.stringContaining('Delegate developer (DEV) again') });
});

it('at a stop exactly those agents have ended that the client does not list any more', () => {
	rig.start('secure');
	for (const agent of ['planner', 'architect', 'tester', 'developer']) rig.runAgent(agent);
	for (const [agent, call] of [
		['code-reviewer', 'c1'],
		['security-reviewer', 'c2'],
	] as const)
		lose(agent, call);
	const isRunning = { id: 'of-c2', type: 'subagent', status: 'running' };
	rig.stop({ background_tasks: [isRunning] });
	expect(of('agent:error')).toMatchObject([{ agent: 'code-reviewer', agentId: 'of-c1' }]);
	const state = rig.state() as { activeAgents: Record<string, { agentId: string }> };
	expect(Object.values(state.activeAgents)).toMatchObject([{ agentId: 'of-c2' }]);
	rig.stop({ background_tasks: [isRunning] });
	expect(of('agent:error')).toHaveLength(1);
});

it('the end of an agent after its workflow is recorded, and ends no stage', () => {
	rig.start('single');
	lose('developer', 'c1');
	stopWorkflow({ sessionId: SESSION, project: rig.project, requestId: 'stop', ports: rig.ports });
	const before = rig.recorded().length;
	endsAfterAll('developer', 'c1', 'All is done. <!-- VERDICT: {"result": "PASS"} -->');
	expect(rig.recorded().slice(before)).toMatchObject([{ type: 'agent:complete', agentId: 'of-c1' }]);
});

it('clients that do not list their tasks: who works in the foreground has ended with the turn', () => {
	rig.start('single');
	lose('developer', 'c1');
	const old = { background_tasks: undefined };
	expect(rig.stop(old).output).toMatchObject({ reason: expect.stringContaining('Delegate developer (DEV) next') });
	const call = { tool_name: 'Agent', tool_use_id: 'c2', tool_input: { subagent_type: 'developer' } };
	rig.hook('PreToolUse', call);
	rig.hook('PostToolUse', { ...call, tool_response: { status: 'async_launched', agentId: 'behind' } });
	expect(rig.stop(old).output).toBeNull();
	expect(rig.state()).toMatchObject({ activeAgents: { developer: { agentId: 'behind', background: true } } });
});

it('calls of agents that fail are errors in a row, once for each agent, and not where a person interrupted', () => {
	const failed = (call: string, fields: object = {}) =>
		rig.hook('PostToolUseFailure', { tool_name: 'Agent', tool_use_id: call, error: 'API error', ...fields });
	const errors = () => rig.state('loop.json')?.consecutiveErrors;
	rig.start('single');
	rig.ask('developer', 'c1');
	failed('c1', { is_interrupt: true });
	rig.stop();
	expect(errors()).toBe(0);
	lose('developer', 'c2');
	failed('c2');
	rig.hook('StopFailure', { agent_id: 'of-c2', agent_type: 'ot:developer', error: 'overloaded' });
	rig.stop();
	expect(errors()).toBe(1);
	lose('developer', 'c3');
	rig.hook('StopFailure', { agent_id: 'of-c3', agent_type: 'ot:developer', error: 'overloaded' });
	failed('c3');
	rig.stop();
	expect(errors()).toBe(2);
	rig.ask('developer', 'c4');
	failed('c4');
	expect(textOf(rig.stop())).toContain('3 agents in a row failed');
});

it('an agent that is asked again and fails again counts again', () => {
	rig.start('single');
	for (let n = 0; n < 3; n += 1) {
		rig.hook('SubagentStart', { agent_id: 'woken', agent_type: 'ot:developer' });
		rig.hook('StopFailure', { agent_id: 'woken', agent_type: 'ot:developer', error: 'overloaded' });
	}
	expect(textOf(rig.stop())).toContain('3 agents in a row failed');
});
