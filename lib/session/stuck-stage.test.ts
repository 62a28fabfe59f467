import { expect, test } from 'vitest';
import { type EventTuple, ran, started, upToDev, viewAfter } from './testing/view-after.ts';
import { stuckStage } from './workflow-progress.ts';

const prompt: EventTuple = ['prompt:submit', { prompt: 'Build it.', source: 'user' }];
const stop: EventTuple = ['hook:event', { name: 'Stop', fields: {} }];
const failed: EventTuple[] = [prompt, ...upToDev, ...ran('REVIEW', 'fail', '2 tests fail')];

test('a stage that failed waits for a person once its agent rests', () => {
	expect(stuckStage(viewAfter(...failed))).toBeUndefined();
	const view = viewAfter(...failed, stop);
	expect(stuckStage(view)).toEqual({ stages: ['REVIEW'], why: '2 tests fail', at: view.turnAt });
	expect(stuckStage(viewAfter(...failed, stop, prompt))).toBeUndefined();
});

test('a limit waits for a person whether the agent rests or not', () => {
	const fatal: EventTuple = ['error:fatal', { reason: 'TEST failed 3 times' } as never];
	expect(stuckStage(viewAfter(...failed, fatal))).toMatchObject({ why: 'TEST failed 3 times' });
});

test('what a person paused, what ended and what went well wait for nobody', () => {
	expect(stuckStage(viewAfter(...failed, ['workflow:pause', {}], stop))).toBeUndefined();
	expect(stuckStage(viewAfter(...failed, stop, ['session:end', {}]))).toBeUndefined();
	expect(stuckStage(viewAfter(prompt, started, stop))).toBeUndefined();
});
