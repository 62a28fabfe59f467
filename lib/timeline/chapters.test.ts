import { expect, test } from 'vitest';
import type { FieldsOf } from '../contract/event.ts';
import type { EventType } from '../contract/event-labels.ts';
import { emptyView, type IndexedEvent } from '../session/view.ts';
import { chapterOf } from './chapters.ts';

type Told = { [T in EventType]: [T, FieldsOf<T>] }[EventType];
const event = ([type, fields]: Told, more: object = {}) =>
	({
		...{ id: 'e1', seq: 1, ts: new Date(7_000).toISOString(), category: '', label: '', sessionId: 's', type },
		...fields,
		...more,
	}) as IndexedEvent;
const kindOf = (told: Told, more?: object) => chapterOf(event(told, more), emptyView('s'))?.kind ?? null;
const verdict = { gate: 'g', rule: 'r', reason: 'no', facts: {} };

test('R336 what was denied, did not fit the plan, was decided or failed is a chapter', () => {
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

test('R1253 a stop that was refused sent the agent on: no call was denied', () => {
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'deny', hook: 'Stop' }])).toBe('sent-on');
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'pass', hook: 'Stop' }])).toBeNull();
	expect(kindOf(['supervisor:verdict', { hook: 'Stop', allow: false, feedback: '', iteration: 1, max: 2 }])).toBe(
		'sent-on',
	);
});

test('R336 what went well is no chapter, nor a line that nobody vouches for', () => {
	expect(kindOf(['gate:verdict', { ...verdict, decision: 'pass' }])).toBeNull();
	expect(kindOf(['stage:complete', { stage: 'RETRO', result: 'issues' }])).toBeNull();
	const by = { role: 'operator', via: 'browser' } as const;
	const forged = { approvalId: 'approval-1', decision: 'approve', by } as const;
	expect(kindOf(['approval:resolve', forged], { unverified: true })).toBeNull();
	expect(chapterOf({ ...event(['session:end', {}]), type: 'odd:type', unknown: true }, emptyView('s'))).toBeNull();
});

test('R336 a chapter leads to the row of its call', () => {
	const denied = event(['gate:verdict', { ...verdict, decision: 'deny' }], { toolUseId: 't1' });
	expect(chapterOf(denied, emptyView('s'))).toEqual({
		kind: 'denial',
		sessionId: 's',
		at: 7_000,
		row: 'call:t1',
		title: 'no',
	});
});
