import { expect, test } from 'vitest';
import { emptyView } from './fold.ts';
import { summarise } from './summarise.ts';
import { type EventTuple, ran, started, upToDev, viewAfter } from './testing/view-after.ts';
import {
	groupsIn,
	isWorkflowLeft,
	stageInFocus,
	stageProgress,
	stagesOf,
	workflowProgress,
} from './workflow-progress.ts';

test('at the start the first stage comes next, and TEST has its two modes', () => {
	const view = viewAfter(started);
	expect(workflowProgress(view)).toMatchObject({ done: 0, total: 8, active: [], failed: [], next: ['PLAN'] });
	expect(
		stagesOf(view.workflow)
			.map(({ mode }) => mode)
			.filter(Boolean),
	).toEqual(['spec', 'verify']);
	expect(groupsIn(view.workflow)).toEqual([{ name: 'quality', stages: ['REVIEW', 'TEST:2'] }]);
});

test('after DEV the parallel group comes next, and its missing half while the other runs', () => {
	expect(workflowProgress(viewAfter(...upToDev)).next).toEqual(['REVIEW', 'TEST:2']);
	const half = workflowProgress(viewAfter(...upToDev, ['stage:start', { stage: 'REVIEW' }]));
	expect([half.active.map(({ key }) => key), half.next]).toEqual([['REVIEW'], ['TEST:2']]);
});

test('a stage that failed is named until it runs again; the debugger and DEV come before it', () => {
	const failed = [...upToDev, ...ran('REVIEW'), ...ran('TEST:2', 'FAIL')];
	const progress = workflowProgress(viewAfter(...failed));
	expect([progress.failed.map(({ key }) => key), progress.before, progress.next]).toEqual([
		['TEST:2'],
		['debugger', 'DEV'],
		['TEST:2'],
	]);
	const repairing = workflowProgress(viewAfter(...failed, ['stage:start', { stage: 'DEV' }]));
	expect([repairing.active.map(({ key }) => key), repairing.before]).toEqual([['DEV'], []]);
	const repaired = workflowProgress(viewAfter(...failed, ...ran('DEV')));
	expect([repaired.before, repaired.next]).toEqual([[], ['TEST:2']]);
	const again = workflowProgress(viewAfter(...failed, ...ran('DEV'), ...ran('TEST:2')));
	expect([again.failed, again.next]).toEqual([[], ['RETRO']]);
});

test('the debugger is next until it has begun; a rejection needs no debugger', () => {
	const failed = [...upToDev, ...ran('REVIEW', 'reject'), ...ran('TEST:2', 'fail')];
	expect(workflowProgress(viewAfter(...failed)).before).toEqual(['debugger', 'DEV']);
	const searching: EventTuple = ['agent:start', { agent: 'debugger' }, 'd'];
	expect(workflowProgress(viewAfter(...failed, searching)).before).toEqual(['DEV']);
	const found: EventTuple = ['agent:complete', { agent: 'debugger' }, 'd'];
	expect(workflowProgress(viewAfter(...failed, searching, found)).before).toEqual(['DEV']);
	expect(workflowProgress(viewAfter(searching, found, ...failed)).before).toEqual(['debugger', 'DEV']);
	expect(workflowProgress(viewAfter(...upToDev, ...ran('REVIEW', 'reject'))).before).toEqual(['DEV']);
});

test('R396 where there is no DEV the developer repairs, and a stage that judges nobody does its own work again', () => {
	const review: EventTuple = ['workflow:start', { workflowType: 'review-only', stages: ['REVIEW'] }];
	const rejected = [review, ...ran('REVIEW', 'reject')];
	expect(workflowProgress(viewAfter(...rejected))).toMatchObject({ before: ['developer'], next: ['REVIEW'] });
	const repaired: EventTuple[] = [
		['agent:start', { agent: 'developer' }, 'd'],
		['agent:complete', { agent: 'developer' }, 'd'],
	];
	expect(workflowProgress(viewAfter(...rejected, ...repaired)).before).toEqual([]);
	const spec = viewAfter(started, ...ran('PLAN'), ...ran('ARCH'), ...ran('TEST', 'fail'));
	expect(workflowProgress(spec)).toMatchObject({ before: [], next: ['TEST'] });
	expect(workflowProgress(viewAfter(started, ...ran('PLAN', 'fail')))).toMatchObject({ before: [], next: ['PLAN'] });
});

test('R720 a failed stage says why its last run did not pass, and nothing of an earlier one', () => {
	const why = (...events: EventTuple[]) => viewAfter(...upToDev, ...events).workflow?.stages['TEST:2']?.again;
	const failed = ran('TEST:2', 'fail', '2 tests failed');
	expect(why(...failed)).toBe('2 tests failed');
	expect(why(...failed, ...ran('TEST:2', 'fail', '1 test failed'))).toBe('1 test failed');
	const [start, end] = ran('TEST:2', 'fail') as [EventTuple, EventTuple];
	expect(why(...failed, start, end, ['error:fatal', { reason: '3 times' }])).toBeUndefined();
	expect(why(...ran('TEST:2', 'fail'))).toBeUndefined();
});

test('R720 an aborted workflow says why', () => {
	const aborted: EventTuple = ['workflow:abort', { workflowType: 'standard', reason: 'stopped by a person' }];
	expect(viewAfter(...upToDev, aborted).workflow?.ended).toMatchObject({ how: 'abort', reason: 'stopped by a person' });
});

test('a workflow that ended is left behind by the next prompt of a person, and by another workflow', () => {
	const ask = (source: 'user' | 'task'): EventTuple => ['prompt:submit', { prompt: 'and now?', source }];
	const isLeft = (...events: EventTuple[]) => isWorkflowLeft(viewAfter(...upToDev, ...events));
	for (const end of [
		['workflow:abort', { workflowType: 'standard' }],
		['workflow:complete', { workflowType: 'standard' }],
	] as EventTuple[]) {
		expect([isLeft(ask('user'), end), isLeft(end, ask('task'))]).toEqual([false, false]);
		expect([isLeft(end, ask('user')), isLeft(end, ask('user'), started)]).toEqual([true, false]);
	}
	expect(isLeft(ask('user'))).toBe(false);
	const begun: EventTuple = ['stage:start', { stage: 'REVIEW' }];
	const aborted: EventTuple = ['workflow:abort', { workflowType: 'standard' }];
	const stagesOf = (...events: EventTuple[]) =>
		summarise(viewAfter(...upToDev, ...events), 0).stages.map(({ state }) => state);
	expect([stagesOf(begun).includes('active'), stagesOf(begun, aborted).includes('active')]).toEqual([true, false]);
	expect(stagesOf(aborted, ask('user'))).toEqual([]);
});

test('the stage that is shown first runs, else failed, else comes next, else was the last', () => {
	const inFocus = (...events: EventTuple[]) => stageInFocus(stagesOf(viewAfter(...events).workflow))?.key;
	const all = ['REVIEW', 'TEST:2', 'RETRO', 'DOCS'].flatMap((key) => ran(key));
	expect(inFocus(...upToDev)).toBe('REVIEW');
	expect(inFocus(...upToDev, ...ran('TEST:2', 'fail'))).toBe('TEST:2');
	expect(inFocus(...upToDev, ...ran('TEST:2', 'fail'), ['stage:start', { stage: 'DEV' }])).toBe('DEV');
	expect(inFocus(...upToDev, ...all)).toBe('DOCS');
	expect(stageInFocus([])).toBeUndefined();
});

test('issues do not hold the workflow up; nothing comes after its end or a fatal error', () => {
	const issues = [...upToDev, ...ran('REVIEW'), ...ran('TEST:2'), ...ran('RETRO', 'issues')];
	expect(workflowProgress(viewAfter(...issues))).toMatchObject({ done: 7, failed: [], next: ['DOCS'] });
	for (const end of [
		['workflow:complete', {}],
		['workflow:abort', {}],
		['error:fatal', { reason: 'three failures' }],
	] as EventTuple[]) {
		expect(workflowProgress(viewAfter(...issues, end)).next).toEqual([]);
	}
	expect(workflowProgress(emptyView('s'))).toMatchObject({ total: 0, next: [], before: [] });
});

test('foreign stages and results are shown as they seem', () => {
	const foreign = viewAfter(['workflow:start', { workflowType: 'odd', stages: ['A', 'B'] }], ...ran('A', 'superb'));
	expect(stagesOf(foreign.workflow).map(stageProgress)).toEqual(['done', 'pending']);
	expect(workflowProgress(foreign)).toMatchObject({ done: 1, next: ['B'] });
});
