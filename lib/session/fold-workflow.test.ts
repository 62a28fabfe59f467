import { expect, test } from 'vitest';
import { nextStep } from '../workflow/next-step.ts';
import { summarise } from './summarise.ts';
import { type EventTuple, ran, started, upToDev, viewAfter } from './testing/view-after.ts';
import { workflowProgress } from './workflow-progress.ts';

const delegated: EventTuple[] = [
	['workflow:start', { workflowType: 'quick', stages: ['DEV', 'REVIEW', 'TEST', 'RETRO'] }],
	['agent:delegate', { agent: 'developer', stage: 'DEV', toolUseId: 't1' } as never],
	['stage:start', { stage: 'DEV' }],
];

test.each([
	['whose call failed', ['tool:error', { tool: 'Agent', error: 'unknown agent', toolUseId: 't1' } as never]],
	['that was interrupted', ['tool:error', { tool: 'Agent', error: '', interrupt: true, toolUseId: 't1' } as never]],
	['that vanished', ['agent:error', { agent: 'developer', stage: 'DEV', reason: 'it ended without a result' }]],
] as [string, EventTuple][])(
	'the page shows the stage of an agent %s as open again, as the gate has it',
	(_how, end) => {
		const view = viewAfter(...delegated, end);
		const { active, next } = workflowProgress(view);
		expect([active, next]).toEqual([[], ['DEV']]);
		expect(view.workflow && nextStep(view.workflow)).toBe('Delegate developer (DEV) next.');
	},
);

test('ISSUES without work on them are no retry, as older versions recorded them; another run is one', () => {
	const issues: EventTuple[] = [started, ...ran('RETRO', 'issues')];
	const retries = (...events: EventTuple[]) => {
		const { counters, workflow } = viewAfter(...issues, ...events);
		return [counters.retries, workflow?.stages.RETRO?.retries ?? 0];
	};
	expect(retries(['stage:retry', { stage: 'RETRO', retroCount: 1, reason: 'one issue' }])).toEqual([0, 0]);
	expect(retries(['stage:retry', { stage: 'RETRO' }], ['stage:start', { stage: 'RETRO' }])).toEqual([1, 1]);
});

test('an event that names a stage before any workflow began is in the story and makes no workflow', () => {
	expect(viewAfter(['stage:start', { stage: 'DEV' }]).workflow).toBeUndefined();
	expect(viewAfter(['stage:start', { stage: 'DEV' }], started).workflow?.stages.DEV).toMatchObject({
		status: 'pending',
	});
});

test('a stage that is done with issues is no failure in lists', () => {
	const view = viewAfter(...upToDev, ...ran('REVIEW', 'reject'), ...ran('TEST:2'), ...ran('RETRO', 'issues'));
	const states = Object.fromEntries(summarise(view, 0).stages.map(({ key, state }) => [key, state]));
	expect(states).toMatchObject({ DEV: 'done', REVIEW: 'failed', RETRO: 'issues', DOCS: 'pending' });
});
