import { describe, expect, it } from 'vitest';
import type { EventType } from '../contract/events/event-labels.ts';
import type { StageResult, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { agentOfStage, nextStep, receivers, skippedBy, stageForAgent } from './next-step.ts';
import { stageKeys, workflows } from './registry.ts';
import { begin, foldAll, ran } from './testing/workflow-events.ts';
import { stageOf } from './workflow-state.ts';

const TYPES = Object.keys(workflows) as (keyof typeof workflows)[];
const JUDGES = ['REVIEW', 'SECURITY', 'DB-REVIEW', 'QA', 'E2E', 'TEST'];
const MAX_STEPS = 40;

/** A main agent that does exactly what the hint says, one agent after the other; one stage ends badly once. */
function follow(type: string, wrong: { key: string; result: StageResult }): { agents: string[]; state: WorkflowState } {
	let state = begin(type);
	let isFailed = false;
	const agents: string[] = [];
	for (let hint = nextStep(state); hint !== null; hint = nextStep(state)) {
		const agent = /Delegate ([a-z0-9-]+)/.exec(hint)?.[1];
		if (agent === undefined || agents.length > MAX_STEPS) throw new Error(`nobody is to be asked: ${hint} (${agents})`);
		agents.push(agent);
		const key = stageForAgent(state, agent);
		if (key === undefined) {
			const ids = { agent, agentId: `help-${agents.length}` };
			state = foldAll(
				[
					['agent:delegate', { agent }],
					['agent:start', ids],
					['agent:complete', ids],
				],
				state,
			);
			continue;
		}
		expect(skippedBy(state, key), `${hint} is denied by the stage guard`).toEqual([]);
		const bad: boolean = !isFailed && key === wrong.key && wrong.result !== 'pass';
		const retry: [EventType, Record<string, unknown>][] = bad ? [['stage:retry', { stage: key }]] : [];
		isFailed ||= bad;
		state = foldAll([...ran(key, agent, bad ? wrong.result : 'pass'), ...retry], state);
	}
	return { agents, state };
}

describe.each(TYPES)('R396 the hints of %s, followed to the letter', (type) => {
	const keys = stageKeys(workflows[type].stages);
	const cases = keys.flatMap((key) =>
		(['pass', 'fail', 'reject', 'issues'] as const).map((result) => ({ key, result })),
	);

	it.each(cases)('R396 end with all stages passed when $key says $result', ({ key, result }) => {
		const { agents, state } = follow(type, { key, result });
		const open = Object.values(state.stages).filter((stage) => stage.status !== 'completed');
		expect(open).toEqual([]);
		const judge = agentOfStage(key);
		const isJudge =
			JUDGES.some((one) => key === one || key.startsWith(`${one}:`)) && stageOf(state, key)?.mode !== 'spec';
		const extra = { pass: [], issues: [], fail: ['debugger', 'developer', judge], reject: ['developer', judge] }[
			result
		];
		const again = result === 'fail' || result === 'reject' ? (isJudge ? extra : [judge]) : [];
		const plain = keys.map(agentOfStage);
		expect(agents).toHaveLength(plain.length + again.length);
		const at = agents.indexOf(judge, keys.indexOf(key));
		expect(agents.slice(at + 1, at + 1 + again.length)).toEqual(again);
	});
});

it('what did not pass is handed to the debugger or the developer; a stage that repeats its own work hands on nothing', () => {
	const state = begin('standard');
	expect(receivers(state, 'TEST:2', 'fail')).toEqual(['debugger']);
	expect(receivers(state, 'REVIEW', 'reject')).toEqual(['developer']);
	for (const key of ['PLAN', 'TEST', 'DEV']) expect(receivers(state, key, 'fail')).toEqual([]);
	expect(receivers(begin('build-fix'), 'BUILD-FIX', 'fail')).toEqual([]);
});
