import { describe, expect, it } from 'vitest';
import type { ActiveAgent, WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { begin } from './testing/workflow-events.ts';
import {
	type AgentClue,
	bindActive,
	findActive,
	reopenIfIdle,
	unattendedStages,
	withActive,
	withoutActive,
} from './workflow-fold.ts';

const at = '2026-02-23T14:00:00.000Z';
const working = (activeAgents: Record<string, Partial<ActiveAgent>>): WorkflowState => ({
	...begin('standard'),
	activeAgents: Object.fromEntries(
		Object.entries(activeAgents).map(([key, one]) => [key, { stage: 'DEV', startedAt: at, ...one }]),
	),
});

describe('R264 several agents of one name are tracked separately', () => {
	it('R264 each has a key of its own; the same call is one agent', () => {
		const add = (state: WorkflowState, toolUseId?: string) =>
			withActive(state, 'developer', { stage: 'DEV', startedAt: at, ...(toolUseId && { toolUseId }) });
		const three = ['t1', 't2', 't3'].reduce(add, begin('single'));
		expect(Object.keys(three.activeAgents)).toEqual(['developer', 'developer#2', 'developer#3']);
		expect(add(three, 't2')).toBe(three);
		expect(Object.keys(add(add(begin('single'))).activeAgents)).toEqual(['developer', 'developer#2']);
		expect(withActive(three, '__proto__', { stage: 'DEV', startedAt: at })).toBe(three);
	});

	const state = working({
		tester: { stage: 'TEST', toolUseId: 't1', agentId: 'a1' },
		'tester#2': { stage: 'TEST', toolUseId: 't2' },
		'tester#3': { stage: 'TEST:2' },
		developer: { toolUseId: 't4' },
	});
	it.each([
		['its id', { agent: 'tester', agentId: 'a1' }, 'tester'],
		['its call', { agent: 'tester', toolUseId: 't2' }, 'tester#2'],
		['its call, whatever its name', { agent: 'nobody', toolUseId: 't4' }, 'developer'],
		['its name: the oldest that has no id yet', { agent: 'tester', agentId: 'new' }, 'tester#2'],
		['its name and stage', { agent: 'tester', stage: 'TEST:2' }, 'tester#3'],
		['its name where its stage is another', { agent: 'developer', stage: 'PLAN' }, 'developer'],
		['nothing that fits', { agent: 'planner', agentId: 'new' }, undefined],
		['nothing at all', {}, undefined],
	] as [string, AgentClue, string | undefined][])('R264 an agent is found by %s', (_by, clue, key) => {
		expect(findActive(state, clue)).toBe(key);
	});

	it('R264 the call corrects which of two was bound to an id, and nobody else is touched', () => {
		const two = working({ developer: { toolUseId: 't1', agentId: 'a2' }, 'developer#2': { toolUseId: 't2' } });
		expect(bindActive(two, { agent: 'developer', agentId: 'a2', toolUseId: 't2' }).activeAgents).toMatchObject({
			developer: { toolUseId: 't1' },
			'developer#2': { toolUseId: 't2', agentId: 'a2' },
		});
		const bound = bindActive(two, { agent: 'developer', agentId: 'a2', toolUseId: 't1' });
		expect(bound).toBe(two);
		expect(bindActive(two, { agent: 'developer', agentId: 'a2' })).toBe(two);
		expect(bindActive(two, { agent: 'planner', agentId: 'a9' })).toBe(two);
		const fresh = bindActive(two, { agent: 'developer', agentId: 'a1' }).activeAgents;
		expect(fresh).toMatchObject({ developer: { agentId: 'a2' }, 'developer#2': { agentId: 'a1' } });
	});

	it('R264 a guessed call is kept only if the agent could have been another', () => {
		const two = working({ developer: { toolUseId: 't1' }, 'developer#2': { toolUseId: 't2' }, tester: {} });
		const guessed = (key: string, clue: AgentClue) => withoutActive(two, key, clue).guessedCalls;
		expect(guessed('developer', { agent: 'developer', agentId: 'a' })).toEqual({ a: 't1' });
		expect(guessed('developer', { agent: 'developer', toolUseId: 't1', agentId: 'a' })).toBeUndefined();
		expect(guessed('developer', { agent: 'developer' })).toBeUndefined();
		expect(guessed('tester', { agent: 'tester', agentId: 'a' })).toBeUndefined();
		const alone = working({ developer: { toolUseId: 't1' }, tester: { toolUseId: 't2' } });
		expect(withoutActive(alone, 'developer', { agentId: 'a' }).guessedCalls).toBeUndefined();
		expect(withoutActive(two, 'nobody', {})).toBe(two);
	});
});

it('R265 a stage whose last agent was lost is opened again, or can end by the result that another one had', () => {
	const active = (one: object): WorkflowState => {
		const state = working({ developer: {} });
		return { ...state, stages: { ...state.stages, DEV: { status: 'active', result: null, ...one } } };
	};
	const idle = { ...active({}), activeAgents: {} };
	expect(reopenIfIdle(idle, 'DEV').stages.DEV).toMatchObject({ status: 'pending' });
	expect(reopenIfIdle(active({}), 'DEV').stages.DEV).toMatchObject({ status: 'active' });
	const half = { ...active({ partial: 'pass' }), activeAgents: {} };
	expect(reopenIfIdle(half, 'DEV')).toBe(half);
	expect(unattendedStages(half)).toEqual([['DEV', { result: 'pass' }]]);
	expect([idle, active({ partial: 'pass' })].map(unattendedStages)).toEqual([[], []]);
	expect(reopenIfIdle(idle, 'PLAN')).toBe(idle);
	expect(reopenIfIdle(idle, 'constructor')).toBe(idle);
});
