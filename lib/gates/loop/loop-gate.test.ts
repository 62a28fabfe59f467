import { expect, it } from 'vitest';
import type { LoopFacts } from '../gate.ts';
import { countProgress, judgeLoop } from './loop-gate.ts';

const done: LoopFacts = {
	workflowType: 'quick',
	createdAt: '',
	iteration: 3,
	stopped: false,
	paused: false,
	consecutiveErrors: 0,
	fatal: null,
	running: 0,
	openStages: [],
	failedStages: [],
	openBoxes: [],
	boxesDone: 0,
	boxesTotal: 0,
	stagesDone: 4,
	stagesTotal: 4,
	nextStep: null,
	stopWith: '/ot:stop',
};

it.each([
	[{}, 'complete', 'done'],
	[{ openStages: ['TEST'] }, 'go-on', 'open-stages'],
	[{ boxesTotal: 2, boxesDone: 1, openBoxes: ['docs'] }, 'go-on', 'open-boxes'],
	[{ failedStages: ['TEST'], boxesTotal: 2 }, 'abort', 'failed-stage'],
	[{ openStages: ['TEST'], stopped: true }, 'abort', 'stopped'],
	[{ openStages: ['TEST'], iteration: 100 }, 'abort', 'max-iterations'],
	[{ openStages: ['TEST'], iteration: 99 }, 'go-on', 'open-stages'],
	[{ openStages: ['TEST'], consecutiveErrors: 3 }, 'abort', 'errors'],
	[{ openStages: ['TEST'], consecutiveErrors: 2 }, 'go-on', 'open-stages'],
	[{ openStages: ['TEST'], fatal: 'TEST: 3 times fail' }, 'abort', 'fatal'],
	[{ openStages: ['TEST'], paused: true }, 'rest', 'paused'],
	[{ paused: true, stopped: true, iteration: 100 }, 'rest', 'paused'],
	[{ running: 1, paused: true }, 'wait', 'agents-running'],
	[{ running: 1, stopped: true, openStages: ['TEST'] }, 'wait', 'agents-running'],
] as [Partial<LoopFacts>, string, string][])('R275 R276 %j ends as %s by %s', (change, end, rule) => {
	const verdict = judgeLoop({ ...done, ...change });
	expect(verdict).toMatchObject({
		gate: 'loop',
		end,
		rule: `loop.${rule}`,
		decision: end === 'go-on' ? 'deny' : 'pass',
	});
	expect(judgeLoop(verdict.facts as unknown as LoopFacts)).toEqual(verdict);
});

it('R275 progress counts stages and boxes apart', () => {
	expect(countProgress({ ...done, stagesDone: 2, boxesDone: 1, boxesTotal: 3 })).toEqual({
		progress: '2/4',
		tasks: '1/3',
	});
});
