import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KnownEvent } from '../contract/events/event.ts';
import { eventLabels } from '../contract/events/event-labels.ts';
import type { WorkflowState } from '../contract/sessions/read-model/workflow-state.ts';
import { type StageFacts, stageGuard } from '../gates/stage-guard/stage-guard-gate.ts';
import { agentCall, contextWith, judgingOf } from '../gates/testing/gate-rig.ts';
import { foldLoop, readLoop } from './loop-fold.ts';
import { convergedGroup, failedStages, nextStages, nextStep, stageForAgent, stageProgress } from './next-step.ts';
import { readWorkflowState } from './read-workflow-state.ts';
import { stageBase, stages, workflows } from './registry.ts';
import { begin, foldAll, ran, workflowEvent } from './testing/workflow-events.ts';
import { foldWorkflowState } from './workflow-fold.ts';

const agentOf = (key: string) => stages[stageBase(key) as keyof typeof stages].agent;
const upTo = (type: string, last: string): WorkflowState => {
	let state = begin(type);
	for (const key of Object.keys(state.stages)) {
		if (key === last) break;
		state = foldAll(ran(key, agentOf(key), 'pass'), state);
	}
	return state;
};
const gate = judgingOf<StageFacts>(stageGuard);
const stageFacts = (type: string, state: WorkflowState | null) =>
	gate.factsOf(agentCall(type), contextWith({ workflow: () => state }));
const guard = (state: WorkflowState, agent: string) => {
	const facts = stageFacts(`ot:${agent}`, state);
	if (!facts) throw new Error('no facts');
	return gate.judge(facts);
};

describe('the stages of a workflow', () => {
	it.each(Object.keys(workflows))('%s: passing every stage in order completes it', (type) => {
		let state = begin(type);
		for (const key of Object.keys(state.stages)) {
			expect(state.currentStage).toBe(key);
			expect(guard(state, agentOf(key)).decision).toBe('pass');
			expect(stageForAgent(state, agentOf(key))).toBe(key);
			state = foldAll(ran(key, agentOf(key), 'pass'), state);
		}
		expect(stageProgress(state)).toEqual({
			done: Object.keys(state.stages).length,
			total: Object.keys(state.stages).length,
		});
		expect(state.currentStage).toBeNull();
		expect(nextStages(state).stages).toEqual([]);
		expect(state.activeAgents).toEqual({});
		expect(failedStages(state)).toEqual([]);
	});

	it.each(Object.keys(workflows))(
		'R262 %s: an agent that would skip a pending stage is denied, members of a group are not',
		(type) => {
			const state = begin(type);
			const keys = Object.keys(state.stages);
			const first = nextStages(state);
			for (const key of keys) {
				if (stageForAgent(state, agentOf(key)) !== key) continue;
				expect(guard(state, agentOf(key)).decision).toBe(first.stages.includes(key) ? 'pass' : 'deny');
			}
			expect(guard(state, 'general-purpose')).toMatchObject({ decision: 'pass', rule: 'stage.no-stage' });
		},
	);

	it('R262 TEST:2 is checked against its own place, not against that of TEST', () => {
		const afterSpec = upTo('standard', 'DEV');
		expect(guard(afterSpec, 'tester')).toMatchObject({
			decision: 'deny',
			facts: { stage: 'TEST:2', skipped: ['DEV'], expected: ['developer'] },
		});
		expect(guard(upTo('standard', 'REVIEW'), 'tester').decision).toBe('pass');
	});

	it('R262 one fingerprint is one question: this run of the workflow, this agent, what it would skip', () => {
		const of = (state: WorkflowState, type: string) => {
			const facts = stageFacts(type, state);
			return facts && gate.printOf(facts)?.key;
		};
		const state = begin('standard');
		expect(of(state, 'ot:developer')).toBe(of(state, 'Developer'));
		expect(of(state, 'developer')).not.toBe(of(state, 'tester'));
		expect(of(state, 'developer')).not.toBe(of(begin('standard'), 'developer'));
		expect(of(state, 'developer')).not.toBe(of(foldAll(ran('PLAN', 'planner', 'pass'), state), 'developer'));
	});

	it('R262 the guard is silent without a running workflow', () => {
		expect(stageFacts('tester', null)).toBeNull();
		const ended = foldAll([['workflow:abort', { reason: 'x' }]], begin('quick'));
		expect(stageFacts('tester', ended)).toBeNull();
	});
});

describe("R264 Overtone's defects are absent", () => {
	it('R264 a failed stage is not counted as done, and is opened again by its retry', () => {
		const failed = foldAll(ran('TEST:2', 'tester', 'fail'), upTo('tdd', 'TEST:2'));
		expect(failedStages(failed)).toEqual(['TEST:2']);
		const open = foldAll([['stage:retry', { stage: 'TEST:2', failCount: 1 }]], failed);
		expect(open.stages['TEST:2']).toMatchObject({ status: 'pending', result: null, retries: 1, attempts: ['fail'] });
		expect(open).toMatchObject({ failCount: 1, currentStage: 'TEST:2' });
	});

	it('R264 the retried tester is found, its new verdict counts and it does not stay active', () => {
		const open = foldAll(
			[...ran('TEST:2', 'tester', 'fail'), ['stage:retry', { stage: 'TEST:2', failCount: 1 }]],
			upTo('tdd', 'TEST:2'),
		);
		expect(nextStep(open)).toContain('debugger');
		const repaired = foldAll(ran('DEV', 'developer', 'pass'), open);
		expect(nextStep(repaired)).toBe('Delegate tester (TEST:2) next.');
		expect(stageForAgent(repaired, 'tester')).toBe('TEST:2');
		const passed = foldAll(ran('TEST:2', 'tester', 'pass'), repaired);
		expect(passed.stages['TEST:2']).toMatchObject({ status: 'completed', result: 'pass', attempts: ['fail', 'pass'] });
		expect(passed.activeAgents).toEqual({});
	});

	it('R264 active agents carry the numbered stage', () => {
		const state = foldAll(
			[['agent:delegate', { agent: 'tester', stage: 'TEST', toolUseId: 't1' }]],
			upTo('standard', 'REVIEW'),
		);
		expect(state.activeAgents).toMatchObject({ tester: { stage: 'TEST:2' } });
	});

	it('R264 two agents of one name are tracked separately, and the stage waits for both', () => {
		const two = foldAll(
			[
				['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't1' }],
				['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't2' }],
				['agent:start', { agent: 'developer', agentId: 'a2' }],
				['agent:start', { agent: 'developer', agentId: 'a1' }],
				['tool:result', { tool: 'Agent', toolUseId: 't2', startedAgentId: 'a2' }],
			],
			begin('single'),
		);
		expect(two.activeAgents).toMatchObject({
			developer: { toolUseId: 't1', agentId: 'a1' },
			'developer#2': { toolUseId: 't2', agentId: 'a2' },
		});
		const one = foldAll([['agent:complete', { agent: 'developer', agentId: 'a1', stage: 'DEV', result: 'pass' }]], two);
		expect(Object.keys(one.activeAgents)).toEqual(['developer#2']);
		expect(one.stages.DEV).toMatchObject({ status: 'active', partial: 'pass' });
	});

	it('R264 which of two agents of one name has ended is put right once its call is known', () => {
		const both = foldAll(
			[
				['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't1' }],
				['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't2' }],
				['agent:start', { agent: 'developer', agentId: 'a2' }],
				['agent:complete', { agent: 'developer', agentId: 'a2', stage: 'DEV', result: 'pass' }],
				['tool:result', { tool: 'Agent', toolUseId: 't2', startedAgentId: 'a2' }],
				['agent:start', { agent: 'developer', agentId: 'a1' }],
			],
			begin('single'),
		);
		expect(Object.values(both.activeAgents)).toMatchObject([{ toolUseId: 't1', agentId: 'a1' }]);
		const none = foldAll([['agent:complete', { agent: 'developer', agentId: 'a1', result: 'pass' }]], both);
		expect(none.activeAgents).toEqual({});
	});

	it('R264 a group converges once and does not count TEST in mode spec', () => {
		let state = upTo('standard', 'REVIEW');
		expect(convergedGroup(state, 'TEST')).toBeUndefined();
		state = foldAll(ran('REVIEW', 'code-reviewer', 'pass'), state);
		expect(convergedGroup(state, 'REVIEW')).toBeUndefined();
		state = foldAll(ran('TEST:2', 'tester', 'pass'), state);
		expect(convergedGroup(state, 'TEST:2')).toBe('quality');
		state = foldAll([['parallel:converge', { group: 'quality' }]], state);
		expect(convergedGroup(state, 'TEST:2')).toBeUndefined();
		const again = foldAll(ran('TEST:2', 'tester', 'pass'), state);
		expect(convergedGroup(again, 'TEST:2')).toBeUndefined();
	});

	it.each(['fail', 'reject'])('R264 a group with a member that ended with %s does not converge', (result) => {
		const half = foldAll(ran('REVIEW', 'code-reviewer', 'pass'), upTo('standard', 'REVIEW'));
		const bad = foldAll(ran('TEST:2', 'tester', result), half);
		expect(convergedGroup(bad, 'TEST:2')).toBeUndefined();
		expect(failedStages(bad)).toEqual(['TEST:2']);
	});

	it('R264 groups belong to a workflow: secure has no quality group', () => {
		const state = upTo('secure', 'RETRO');
		expect(convergedGroup(state, 'SECURITY')).toBe('secure-quality');
		const half = upTo('secure', 'SECURITY');
		expect(convergedGroup(half, 'TEST:2')).toBeUndefined();
		expect(nextStages(upTo('secure', 'REVIEW'))).toEqual({
			stages: ['REVIEW', 'TEST:2', 'SECURITY'],
			group: 'secure-quality',
		});
	});

	it('R264 a new workflow in the session has a new loop', () => {
		const stopped = [workflowEvent('loop:start'), workflowEvent('loop:complete', { reason: 'stopped' })].reduce(
			foldLoop,
			null,
		);
		expect(stopped).toMatchObject({ stopped: true, stopReason: 'stopped' });
		expect(foldLoop(stopped, workflowEvent('loop:start'))).toMatchObject({ stopped: false, iteration: 0 });
	});

	it('R264 after the end there is no current stage and no next step', () => {
		const ended = foldAll([...ran('DEV', 'developer', 'pass'), ['workflow:complete', {}]], begin('single'));
		expect(ended).toMatchObject({ currentStage: null, ended: { how: 'complete' } });
		expect(nextStep(ended)).toBeNull();
	});

	it('R264 errors in a row are counted and an agent that ends well resets them', () => {
		const error = workflowEvent('agent:error', { agent: 'developer', reason: 'API' });
		const failing = [workflowEvent('loop:start'), error, error].reduce(foldLoop, null);
		expect(failing?.consecutiveErrors).toBe(2);
		expect(foldLoop(failing, workflowEvent('agent:complete', { agent: 'developer' }))?.consecutiveErrors).toBe(0);
	});

	it('R264 an agent’s error counts once until the agent starts again', () => {
		const of = (type: 'agent:start' | 'agent:error', agentId: string) =>
			workflowEvent(type, { agent: 'developer', agentId, ...(type === 'agent:error' && { reason: 'API' }) });
		const [error, other, restart] = [of('agent:error', 'a1'), of('agent:error', 'a2'), of('agent:start', 'a1')];
		const errorsAfter = (...events: KnownEvent[]) =>
			[workflowEvent('loop:start'), restart, ...events].reduce(foldLoop, null)?.consecutiveErrors;
		expect(errorsAfter(error, error)).toBe(1);
		expect(errorsAfter(error, other)).toBe(2);
		expect(errorsAfter(error, other, restart, other, error)).toBe(3);
		expect(foldLoop(null, restart), 'without a loop').toBeNull();
	});
});

describe('R265 retries', () => {
	it('R265 ISSUES count but leave the stage completed, so that the workflow can end', () => {
		const state = foldAll(
			[...ran('RETRO', 'retrospective', 'issues'), ['stage:retry', { stage: 'RETRO', retroCount: 1 }]],
			upTo('standard', 'RETRO'),
		);
		expect(state).toMatchObject({ retroCount: 1, currentStage: 'DOCS' });
		expect(guard(state, 'doc-updater').decision).toBe('pass');
		expect(guard(state, 'retrospective').decision).toBe('pass');
	});

	it('R265 a failed test comes before a rejected review, and both run again together', () => {
		const state = foldAll(
			[
				...ran('REVIEW', 'code-reviewer', 'reject'),
				['stage:retry', { stage: 'REVIEW', rejectCount: 1 }],
				...ran('TEST:2', 'tester', 'fail'),
				['stage:retry', { stage: 'TEST:2', failCount: 1 }],
			],
			upTo('standard', 'REVIEW'),
		);
		expect(nextStep(state)).toMatch(
			/debugger.*developer with the reasons of the rejection, then tester.*code-reviewer.*in parallel/,
		);
		const fixed = foldAll(ran('DEV', 'developer', 'pass'), state);
		expect(nextStep(fixed)).toContain('in parallel: they are the group quality');
	});

	it('R265 an agent that was lost opens its stage again', () => {
		const delegated = foldAll(
			[['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't1' }]],
			begin('single'),
		);
		for (const end of [
			workflowEvent('tool:error', { tool: 'Agent', error: 'unknown agent', toolUseId: 't1' }),
			workflowEvent('agent:error', { agent: 'developer', reason: 'API error' }),
		]) {
			expect(foldWorkflowState(delegated, end)).toMatchObject({
				activeAgents: {},
				stages: { DEV: { status: 'pending' } },
			});
		}
	});
});

describe('R267 workflow.json', () => {
	it('R267 reads what it writes, and the example of seed 001', () => {
		const state = foldAll(
			[
				['agent:delegate', { agent: 'tester', stage: 'TEST:2', toolUseId: 't1' }],
				['parallel:start', { group: 'quality' }],
			],
			upTo('standard', 'REVIEW'),
		);
		expect(readWorkflowState(JSON.parse(JSON.stringify(state)), 's1')).toEqual(state);
		const example = {
			sessionId: 'abc-123',
			workflowType: 'standard',
			createdAt: '2026-02-23T14:00:00Z',
			currentStage: 'REVIEW',
			stages: {
				DEV: { status: 'completed', result: 'pass' },
				REVIEW: { status: 'active', result: null },
				'TEST:2': { status: 'active', result: null, mode: 'verify' },
				DOCS: { status: 'pending', result: null },
			},
			activeAgents: {
				'code-reviewer': { stage: 'REVIEW', startedAt: 'x' },
				tester: { stage: 'TEST:2', startedAt: 'y' },
			},
			failCount: 0,
			rejectCount: 0,
		};
		expect(readWorkflowState(example, 'abc-123')).toEqual({ ...example, retroCount: 0 });
	});

	it('R267 loop.json is read with what it should have, whatever else it holds', () => {
		const whole = {
			iteration: 4,
			stopped: true,
			consecutiveErrors: 2,
			startedAt: 'a',
			stoppedAt: 'b',
			stopReason: 'c',
		};
		expect(readLoop(whole)).toEqual(whole);
		const zero = { iteration: 0, stopped: false, consecutiveErrors: 0, startedAt: '' };
		expect(readLoop({ iteration: 0 })).toEqual(zero);
		const odd = { stopped: 'yes', consecutiveErrors: -1, startedAt: 3, stoppedAt: 4, stopReason: '' };
		expect(readLoop({ iteration: 1.5, ...odd })).toEqual(zero);
		expect(readLoop({ iteration: 1, stopReason: 'x'.repeat(2000) })?.stopReason).toHaveLength(1000);
		for (const junk of [null, 3, [], {}, { iteration: '4' }]) expect(readLoop(junk)).toBeNull();
		const event = workflowEvent('loop:advance', { iteration: 5 });
		expect([foldLoop(null, event), foldLoop(zero, event)]).toEqual([null, { ...zero, iteration: 5 }]);
		const adopt = (file: string) => workflowEvent('workflow:adopt', { file, state: whole });
		expect([foldLoop(zero, adopt('loop.json')), foldLoop(zero, adopt('workflow.json'))]).toEqual([whole, zero]);
	});

	it('R267 any JSON is read without an exception and without touching a prototype', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				readLoop(value);
				readWorkflowState(value, 's1');
				readWorkflowState(
					{ workflowType: 'quick', stages: value, activeAgents: value, groups: value, ended: value },
					's1',
				);
			}),
		);
		readWorkflowState(JSON.parse('{"workflowType":"x","stages":{"__proto__":{"status":"active"}}}'), 's1');
		expect(({} as Record<string, unknown>).status).toBeUndefined();
	});

	it('R267 folding in two parts, through JSON, equals folding at once', () => {
		const types = Object.keys(eventLabels).filter((type) => /^(stage|agent|parallel|loop):/.test(type));
		const names = fc.constantFrom('DEV', 'REVIEW', 'TEST', 'TEST:2', 'nowhere', '__proto__', 'constructor');
		const agents = fc.constantFrom('developer', 'tester', 'code-reviewer', 'toString');
		const ids = fc.constantFrom('t1', 't2', 't3');
		const draft = fc.record({
			type: fc.constantFrom(...types),
			stage: names,
			agent: agents,
			toolUseId: ids,
			agentId: ids,
			result: fc.constantFrom('pass', 'fail', 'reject', 'issues'),
			group: fc.constantFrom('quality', '__proto__'),
			reason: fc.constant('r'),
			iteration: fc.nat(9),
		});
		fc.assert(
			fc.property(fc.array(draft, { maxLength: 30 }), fc.nat(30), (drafts, cut) => {
				const events = drafts.map(({ type, ...fields }) => workflowEvent(type as never, fields));
				const whole = events.reduce<WorkflowState | null>(foldWorkflowState, begin('standard'));
				const head = events.slice(0, cut).reduce<WorkflowState | null>(foldWorkflowState, begin('standard'));
				const stored = readWorkflowState(JSON.parse(JSON.stringify(head)), 's1');
				const tail = events.slice(cut).reduce<WorkflowState | null>(foldWorkflowState, stored);
				expect({ ...tail, createdAt: '' }).toEqual({ ...whole, createdAt: '' });
			}),
		);
	});
});
