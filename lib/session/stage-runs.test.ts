import { expect, test } from 'vitest';
import type { FieldsOf } from '../contract/events/event.ts';
import { type EventType, isKnown } from '../contract/events/event-labels.ts';
import type { IndexedEvent, StageRun } from '../contract/sessions/read-model/session-view.ts';
import { foldStageRuns } from './fold-head.ts';
import { runsAt } from './workflow-progress.ts';

type TimedEvent = { [T in EventType]: [number, T, FieldsOf<T>] }[EventType];
const eventsOf = (...given: TimedEvent[]) =>
	given.map(
		([at, type, fields], index) =>
			({
				...{ id: `e${index}`, seq: index + 1, ts: new Date(at).toISOString(), category: '', label: '' },
				...{ sessionId: 's', type, ...fields },
			}) as IndexedEvent,
	);
/** All runs, by the events in their order. */
const stageRuns = (events: readonly IndexedEvent[]) =>
	events.reduce<readonly StageRun[]>((runs, event) => (isKnown(event) ? foldStageRuns(runs, event) : runs), []);

test('each run of a stage is a bar with its result', () => {
	const bars = stageRuns(
		eventsOf(
			[0, 'stage:start', { stage: 'DEV' }],
			[5, 'stage:complete', { stage: 'DEV', result: 'pass' }],
			[6, 'stage:start', { stage: 'TEST' }],
			[8, 'stage:complete', { stage: 'TEST', result: 'fail' }],
			[9, 'stage:start', { stage: 'TEST' }],
		),
	);
	expect(bars).toEqual([
		{ stage: 'DEV', from: 0, to: 5, result: 'pass' },
		{ stage: 'TEST', from: 6, to: 8, result: 'fail' },
		{ stage: 'TEST', from: 9, to: null },
	]);
});

test('a delegation begins a stage without a stage event, and the numbered key names it', () => {
	const bars = stageRuns(
		eventsOf(
			[0, 'agent:delegate', { agent: 'tester', stage: 'TEST' }],
			[1, 'agent:delegate', { agent: 'tester', stage: 'TEST' }],
			[4, 'stage:complete', { stage: 'TEST:2', result: 'pass' }],
			[5, 'stage:complete', { stage: 'DOCS' }],
			[6, 'agent:delegate', { agent: 'planner', stage: 'PLAN' }],
			[6, 'agent:delegate', { agent: 'architect', stage: 'ARCH' }],
			[7, 'session:end', {}],
		),
	);
	expect(bars.map(({ stage, from, to }) => [stage, from, to])).toEqual([
		['TEST:2', 0, 4],
		['DOCS', 5, 5],
		['PLAN', 6, 7],
		['ARCH', 6, 7],
	]);
});

test('at an instant unfinished ones run, and later ones are no runs of it', () => {
	const bars = [
		{ stage: 'A', from: 0, to: 4, result: 'pass' },
		{ stage: 'B', from: 4, to: 9, result: 'fail' },
		{ stage: 'C', from: 8, to: null },
	];
	expect(runsAt(bars, 5)).toEqual([bars[0], { stage: 'B', from: 4, to: null }]);
});

test('a stage whose agent gave no verdict is distinguished from one that passed', () => {
	const ended = (source: string) =>
		stageRuns(
			eventsOf([0, 'stage:start', { stage: 'DEV' }], [5, 'stage:complete', { stage: 'DEV', result: 'pass', source }]),
		);
	expect([ended('none')[0]?.result, ended('words')[0]?.result]).toEqual(['unclear', 'pass']);
});
