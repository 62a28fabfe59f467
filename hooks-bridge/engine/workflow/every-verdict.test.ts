import { describe, expect, it } from 'vitest';
import type { StageResult, WorkflowState } from '#lib/contract/sessions/read-model/workflow-state.ts';
import { agentOfStage, groupOf, nextStages } from '#lib/workflow/next-step.ts';
import { stageBase, stageKeys, workflows } from '#lib/workflow/registry.ts';
import { stageOf } from '#lib/workflow/workflow-state.ts';
import { type MemoryPorts, memoryPorts } from '../../testing/memory-ports.ts';
import { respond } from '../respond.ts';
import { startWorkflow } from './run-workflow.ts';

/** What an agent says without a comment, by the kind of its stage. */
const WORDS: Record<string, [base: string[], bad: string, result: StageResult]> = {
	reject: [['REVIEW', 'SECURITY', 'DB-REVIEW'], 'I reject this: it leaks', 'reject'],
	fail: [['TEST', 'QA', 'E2E', 'BUILD-FIX'], '2 tests failed', 'fail'],
	issues: [['RETRO'], 'Two issues found', 'issues'],
};
const COUNTS = { fail: 'failCount', reject: 'rejectCount', issues: 'retroCount', unclear: 'unclearCount' } as const;

interface Case {
	said: string;
	result: StageResult;
}

function casesOf(key: string): Case[] {
	const comments = (['pass', 'fail', 'reject', 'issues'] as const).map((result) => ({
		said: `Ended. <!-- VERDICT: {"result": "${result.toUpperCase()}"} -->`,
		result,
	}));
	const kind = Object.values(WORDS).find(([bases]) => bases.includes(stageBase(key)));
	const bad = Object.values(WORDS).map(([, text, result]): Case => {
		return { said: text, result: kind?.[2] === result ? result : 'pass' };
	});
	return [...comments, ...bad, { said: 'All is well.', result: 'pass' }, { said: ' \n', result: 'unclear' }];
}

/** A session whose workflow is driven through the hooks, without a disk. */
function open(type: string) {
	const ports = memoryPorts();
	let serial = 0;
	const send = (hook: string, fields: object) => {
		serial += 1;
		const input = { session_id: 's1', cwd: '/shop', hook_event_name: hook, ...fields };
		return respond(input, { requestId: `r${serial}`, profile: 'open', projectDir: '/shop' }, ports).output;
	};
	const run = (agent: string, text: string) => {
		const id = { agent_id: `agent-${serial}`, agent_type: `ot:${agent}` };
		const tool_input = { subagent_type: `ot:${agent}` };
		send('PreToolUse', { tool_name: 'Agent', tool_use_id: `toolu_${serial}`, tool_input });
		send('SubagentStart', id);
		return send('SubagentStop', { ...id, last_assistant_message: text, background_tasks: [] });
	};
	startWorkflow({ sessionId: 's1', project: '/shop', requestId: 'start', ports }, type);
	return { ports, run };
}

const stateOf = (ports: MemoryPorts): WorkflowState => {
	const { workflow } = ports.flow.read('s1');
	if (!workflow) throw new Error('no workflow');
	return workflow;
};

/** Ends a stage of a fresh workflow with these words; gives its events, what was printed, and what is left. */
function endStage(type: keyof typeof workflows, keys: readonly string[], key: string, text: string) {
	const { ports, run } = open(type);
	for (const before of keys.slice(0, keys.indexOf(key))) run(agentOfStage(before), 'All is well.');
	const from = ports.all().length;
	const { systemMessage: hint } = run(agentOfStage(key), text) as { systemMessage: string };
	const events = ports.all().slice(from);
	return { hint, state: stateOf(ports), ofType: (name: string) => events.filter((event) => event.type === name) };
}

type Ended = ReturnType<typeof endStage>;

function expectRecorded({ hint, state, ofType }: Ended, key: string, result: StageResult): void {
	expect(ofType('agent:complete')).toMatchObject([{ agent: agentOfStage(key), stage: key, result }]);
	expect(ofType('stage:complete')).toMatchObject([{ stage: key, result }]);
	expect(ofType('error:fatal')).toEqual([]);
	expect(hint).toContain(`${key} ended with ${result.toUpperCase()}.`);
	for (const [bad, count] of Object.entries(COUNTS)) expect(state[count] ?? 0).toBe(bad === result ? 1 : 0);
	const counted = result === 'pass' || result === 'unclear' ? {} : { [COUNTS[result]]: 1 };
	const retry =
		result === 'pass' || result === 'issues' ? [] : [{ stage: key, ...counted, reason: expect.any(String) }];
	expect(ofType('stage:retry')).toMatchObject(retry);
	expect(state.activeAgents).toEqual({});
}

function expectDoneAgain({ hint, state, ofType }: Ended, key: string): void {
	expect(stageOf(state, key)).toMatchObject({ status: 'pending', result: null, retries: 1 });
	expect(state.currentStage).toBe(key);
	expect(ofType('parallel:converge')).toEqual([]);
	expect(hint).toContain(agentOfStage(key));
}

function expectGoneOn({ hint, state, ofType }: Ended, key: string, result: StageResult): void {
	const keys = Object.keys(state.stages);
	const after = keys[keys.indexOf(key) + 1];
	const group = groupOf(state, key);
	expect(stageOf(state, key)).toMatchObject({ status: 'completed', result });
	expect(state.currentStage).toBe(after ?? null);
	expect(nextStages(state).stages[0]).toBe(after);
	expect(ofType('parallel:converge')).toMatchObject(group?.stages.at(-1) === key ? [{ group: group.name }] : []);
	for (const next of nextStages(state).stages) expect(hint).toContain(agentOfStage(next));
}

describe.each(Object.keys(workflows) as (keyof typeof workflows)[])('R719 %s through the hooks', (type) => {
	const keys = stageKeys(workflows[type].stages);

	it.each(keys)('R719 every verdict word of %s is recorded, counted and followed by its hint', (key) => {
		for (const { said, result } of casesOf(key)) {
			const ended = endStage(type, keys, key, said);
			expectRecorded(ended, key, result);
			if (result !== 'pass' && result !== 'issues') expectDoneAgain(ended, key);
			else expectGoneOn(ended, key, result);
		}
	});
});
