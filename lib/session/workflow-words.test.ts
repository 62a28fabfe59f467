import { expect, test } from 'vitest';
import { type EventTuple, ran, upToDev, viewAfter } from './testing/view-after.ts';
import { failureOf, nextOf, nowOf, workflowProgress } from './workflow-progress.ts';

const begun = (key: string, agent: string): EventTuple[] => [
	['stage:start', { stage: key }],
	['agent:start', { agent, stage: key }, `id-${agent}`],
];
const ended = (key: string, agent: string, result: string): EventTuple[] => [
	['agent:complete', { agent, stage: key, result }, `id-${agent}`],
	['stage:complete', { stage: key, result }],
];
const failed: EventTuple[] = [
	...begun('TEST:2', 'tester'),
	...ended('TEST:2', 'tester', 'fail'),
	['stage:retry', { stage: 'TEST:2', failCount: 1, reason: '3 tests failed' }],
];
const rejected: EventTuple[] = [
	...begun('REVIEW', 'code-reviewer'),
	...ended('REVIEW', 'code-reviewer', 'reject'),
	['stage:retry', { stage: 'REVIEW', rejectCount: 1, reason: 'the cart leaks' }],
];
const limit: EventTuple = ['error:fatal', { reason: 'TEST:2 ended with FAIL, number 3 in this workflow' }];
const all = ['REVIEW', 'TEST:2', 'RETRO', 'DOCS'].flatMap((key) => ran(key));

test.each([
	['between two stages', [], 'no stage runs', 'REVIEW + TEST:2', []],
	['a stage runs', begun('REVIEW', 'code-reviewer'), 'REVIEW by code-reviewer', 'TEST:2', []],
	['half of a group is done', [...ran('REVIEW'), ...begun('TEST:2', 'tester')], 'TEST:2 by tester', 'RETRO', []],
	[
		'a test failed',
		[...ran('REVIEW'), ...failed],
		'no stage runs',
		'debugger, DEV, then TEST:2 again',
		['TEST:2 (fail): 3 tests failed'],
	],
	[
		'one failed while the other works',
		[...failed, ...begun('REVIEW', 'code-reviewer')],
		'REVIEW by code-reviewer',
		'debugger, DEV, then TEST:2 again',
		['TEST:2 (fail): 3 tests failed'],
	],
	[
		'a review was rejected and is repaired',
		[...ran('TEST:2'), ...rejected, ...begun('DEV', 'developer')],
		'DEV by developer',
		'REVIEW',
		['REVIEW (reject): the cart leaks'],
	],
	[
		'a helper of no stage works',
		[...ran('REVIEW'), ...failed, ['agent:start', { agent: 'debugger' }, 'd']],
		'debugger (no stage)',
		'DEV, then TEST:2 again',
		['TEST:2 (fail): 3 tests failed'],
	],
	[
		'the retry runs',
		[...ran('REVIEW'), ...failed, ...ran('DEV'), ...begun('TEST:2', 'tester')],
		'TEST:2 by tester',
		'RETRO',
		[],
	],
	['the last stage runs', [...all.slice(0, -2), ...begun('DOCS', 'doc-updater')], 'DOCS by doc-updater', 'the end', []],
	['it is paused', [['workflow:pause', {}]], 'paused by a person', 'nothing until it is resumed', []],
	[
		'it is paused while an agent works',
		[...begun('REVIEW', 'code-reviewer'), ['workflow:pause', {}]],
		'paused by a person; still at work: REVIEW by code-reviewer',
		'nothing until it is resumed',
		[],
	],
	[
		'a limit was reached while an agent works',
		[...ran('TEST:2', 'fail'), limit, ...begun('REVIEW', 'code-reviewer')],
		'stopped: TEST:2 ended with FAIL, number 3 in this workflow; still at work: REVIEW by code-reviewer',
		'a person’s word: go on, or stop',
		['TEST:2 (fail)'],
	],
	[
		'it was stopped in the middle of a stage',
		[
			['stage:start', { stage: 'REVIEW' }],
			['workflow:abort', { reason: 'stopped by a person' }],
		],
		'aborted: stopped by a person',
		'nothing',
		[],
	],
	[
		'it was aborted at its limit',
		[...ran('TEST:2', 'fail'), limit, ['workflow:abort', { reason: '100 rounds are the most' }]],
		'aborted: 100 rounds are the most',
		'nothing',
		['TEST:2 (fail)'],
	],
	['it is complete', [...all, ['workflow:complete', {}]], 'complete', 'nothing', []],
] as [string, EventTuple[], string, string, string[]][])(
	'R720 the header says what runs, who works, what failed and what comes next when %s',
	(_when, events, now, next, failures) => {
		const view = viewAfter(...upToDev, ...events);
		const progress = workflowProgress(view);
		if (!view.workflow) throw new Error('no workflow');
		expect([
			nowOf(view, progress),
			nextOf(view.workflow, progress),
			progress.failed.map((stage) => failureOf(stage)),
		]).toEqual([now, next, failures]);
	},
);

test('R720 of many agents a few are named and the others counted', () => {
	const many = Array.from({ length: 20 }, (_, n): EventTuple => ['agent:start', { agent: `worker-${n}` }, `id-${n}`]);
	const view = viewAfter(...upToDev, ...many);
	expect(nowOf(view, workflowProgress(view))).toBe(
		'worker-0 (no stage) + worker-1 (no stage) + worker-2 (no stage) + worker-3 (no stage) + 16 more',
	);
});
