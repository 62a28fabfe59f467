import { expect, test } from 'vitest';
import type { Chapter } from '../contract/archives/replay.ts';
import type { FieldsOf } from '../contract/events/event.ts';
import type { EventType } from '../contract/events/event-labels.ts';
import type { IndexedEvent, SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView } from '../session/fold.ts';
import { chapterAt, chapterOf, stepChapter } from './chapters.ts';

type TypedFields = { [T in EventType]: [T, FieldsOf<T>] }[EventType];
const event = ([type, fields]: TypedFields, more: object = {}) =>
	({
		...{ id: 'e1', seq: 1, ts: new Date(7_000).toISOString(), category: '', label: '', sessionId: 's', type },
		...fields,
		...more,
	}) as IndexedEvent;
const kindOf = (typed: TypedFields, more?: object) =>
	chapterOf(event(typed, more), 7_000, emptyView('s'))?.kind ?? null;
const verdict = { gate: 'g', rule: 'r', reason: 'no', facts: {} };

test('what was denied, did not fit the plan, was decided or failed is a chapter', () => {
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'deny' }])).toBe('denial');
	expect(kindOf(['command:block', { command: 'rm', reason: 'no' }])).toBe('denial');
	expect(kindOf(['validator:assessment', { validator: 'v', allowed: false }])).toBe('denial');
	const review = { allow: false, feedback: '', iteration: 1, max: 2 };
	expect(kindOf(['supervisor:verdict', { ...review, hook: 'PreToolUse' }])).toBe('denial');
	expect(kindOf(['routing:mismatch', { planId: 'p', actual: 'a', expected: ['b'] }])).toBe('mismatch');
	const by = { role: 'operator', via: 'browser' } as const;
	expect(kindOf(['approval:resolve', { approvalId: 'approval-1', decision: 'approve', by }])).toBe('decision');
	expect(kindOf(['workflow:pause', {}])).toBe('decision');
	expect(kindOf(['stage:complete', { stage: 'TEST', result: 'FAIL' }])).toBe('failure');
	expect(kindOf(['agent:error', { agent: 'a', reason: 'x' }])).toBe('failure');
	expect(kindOf(['error:fatal', { reason: 'x' }])).toBe('failure');
});

test('a stop that was refused sent the agent on: no call was denied', () => {
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'deny', hook: 'Stop' }])).toBe('sent-on');
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'pass', hook: 'Stop' }])).toBeNull();
	expect(kindOf(['supervisor:verdict', { hook: 'Stop', allow: false, feedback: '', iteration: 1, max: 2 }])).toBe(
		'sent-on',
	);
});

test('what went well is no chapter, nor a line that nobody vouches for', () => {
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'pass' }])).toBeNull();
	expect(kindOf(['tool:result', { tool: 'Bash', response: '' }])).toBeNull();
	expect(kindOf(['prompt:submit', { prompt: 'a sub-agent is done', source: 'task' }])).toBeNull();
	const by = { role: 'operator', via: 'browser' } as const;
	const forged = { approvalId: 'approval-1', decision: 'approve', by } as const;
	expect(kindOf(['approval:resolve', forged], { unverified: true })).toBeNull();
	expect(
		chapterOf({ ...event(['session:end', {}]), type: 'odd:type', unknown: true }, 7_000, emptyView('s')),
	).toBeNull();
});

test('a chapter leads to the row of its call', () => {
	const denied = event(['gate:verdict', { ...verdict, decision: 'deny' }], { toolUseId: 't1' });
	expect(chapterOf(denied, 7_000, emptyView('s'))).toEqual({
		kind: 'denial',
		sessionId: 's',
		seq: 1,
		at: 7_000,
		row: 'call:t1',
		title: 'no',
	});
});

test('overrides, stages and prompts are chapters of their own', () => {
	const by = { role: 'operator', via: 'browser' } as const;
	const call = {
		toolUseId: 't1',
		seq: 1,
		at: '',
		tool: 'Bash',
		title: '',
		verdicts: [{ ...verdict, decision: 'deny' }],
	};
	const denied = { ...emptyView('s'), calls: [call] } as unknown as SessionView;
	const approve = event(['approval:resolve', { approvalId: 'approval-1', decision: 'approve', by }], {
		toolUseId: 't1',
	});
	expect(chapterOf(approve, 7_000, denied)?.kind).toBe('override');
	const grant = { grantId: 'g', scope: 'once', reason: 'yes', by, tool: 'Bash', inputDigest: 'd' } as const;
	expect(kindOf(['grant:use', grant])).toBe('override');
	expect(kindOf(['stage:start', { stage: 'DEV' }])).toBe('stage');
	expect(kindOf(['stage:complete', { stage: 'RETRO', result: 'issues' }])).toBe('stage');
	expect(kindOf(['prompt:submit', { prompt: 'build', source: 'user' }])).toBe('prompt');
});

test('the chapter of an instant is the one that contains it, of several at one moment the chosen one', () => {
	const at = (seq: number, when: number): Chapter => ({
		...{ kind: 'denial', sessionId: 's', seq, at: when, row: '', title: '' },
	});
	const chapters = [at(1, 10), at(4, 20), at(5, 20), at(9, 30)];
	expect([9, 10, 19, 20, 29, 31].map((instant) => chapterAt(chapters, instant))).toEqual([-1, 0, 0, 1, 1, 3]);
	expect(chapterAt(chapters, 20, { sessionId: 's', seq: 5 })).toBe(2);
	expect(chapterAt(chapters, 29, { sessionId: 's', seq: 4 })).toBe(1);
	expect(chapterAt(chapters, 20, { sessionId: 'other', seq: 5 })).toBe(1);
	expect(chapterAt(chapters, 30, { sessionId: 's', seq: 5 })).toBe(3);
});

test('steps go to the next chapter on either side, through those of one moment too, and nowhere past the ends', () => {
	const at = (seq: number, when: number): Chapter => ({
		...{ kind: 'denial', sessionId: 's', seq, at: when, row: '', title: '' },
	});
	const around = { before: [at(1, 10), at(4, 20), at(5, 20)], after: [at(9, 30)] };
	const step = (instant: number, side: 1 | -1, seq?: number) =>
		stepChapter(around, instant, side, seq === undefined ? undefined : { sessionId: 's', seq })?.seq ?? null;
	expect([step(20, 1), step(20, -1), step(25, -1)]).toEqual([9, 1, 5]);
	expect([step(20, 1, 4), step(20, 1, 5), step(20, -1, 5), step(20, -1, 4)]).toEqual([5, 9, 4, 1]);
	expect(stepChapter({ before: [at(9, 30)], after: [] }, 30, 1)).toBeNull();
	expect(stepChapter({ before: [at(9, 30)], after: [] }, 30, -1, { sessionId: 's', seq: 9 })).toBeNull();
});

test('the chapter of a stage without a verdict says that it had none, whatever the workflow assumed', () => {
	const ended = event(['stage:complete', { stage: 'DEV', result: 'pass', source: 'none' }]);
	expect(chapterOf(ended, 7_000, emptyView('s'))).toMatchObject({ kind: 'stage', title: 'DEV: no verdict' });
	const silent = event(['stage:complete', { stage: 'DEV', result: 'unclear', source: 'none' }]);
	expect(chapterOf(silent, 7_000, emptyView('s'))).toMatchObject({ kind: 'failure', title: 'DEV: no verdict' });
});
