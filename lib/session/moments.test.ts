import { expect, test } from 'vitest';
import { type EventTuple, ran, started, viewAfter } from './testing/view-after.ts';

const prompt: EventTuple = ['prompt:submit', { prompt: 'Build it.', source: 'user' }];
const stop: EventTuple = ['hook:event', { name: 'Stop', fields: {} }];
const whatOf = (...events: EventTuple[]) => (viewAfter(...events).moments ?? []).map(({ what }) => what);
const deadline = '2026-01-01T14:00:00.000Z';
const request: EventTuple = [
	'approval:request',
	{ approvalId: 'approval-1', tool: 'Bash', input: {}, inputDigest: 'd', denials: [], deadline },
];

test('a session is at work, waits, is reviewed, rests and is over', () => {
	expect(whatOf(prompt, stop, ['session:end', {}])).toEqual(['working', 'idle', 'over']);
	const by = { role: 'operator', via: 'browser' } as const;
	const resolve: EventTuple = ['approval:resolve', { approvalId: 'approval-1', decision: 'approve', by }];
	expect(whatOf(prompt, request, resolve)).toEqual(['working', 'waiting', 'decision', 'working']);
	const review: EventTuple = ['supervisor:review', { hook: 'Stop', iteration: 1, max: 20 }];
	const verdict: EventTuple = [
		'supervisor:verdict',
		{ hook: 'Stop', iteration: 1, max: 20, allow: true, feedback: '' },
	];
	expect(whatOf(prompt, review, verdict)).toEqual(['working', 'reviewed', 'working']);
});

test('a session that rests on a stage that failed has failed', () => {
	expect(whatOf(prompt, started, ...ran('PLAN', 'fail'), stop)).toEqual(['working', 'failed']);
});

test('denials and mismatches are marks on the row where they were recorded', () => {
	const events: EventTuple[] = [
		prompt,
		['tool:call', { tool: 'Agent', toolUseId: 't1', input: {} } as never],
		['routing:mismatch', { planId: 'p', actual: 'architect', expected: [], toolUseId: 't1' } as never],
		['gate:verdict', { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, toolUseId: 't1' } as never],
	];
	expect(viewAfter(...events).moments?.slice(1)).toMatchObject([
		{ what: 'mismatch', row: 'call:t1' },
		{ what: 'denial', row: 'call:t1', at: '2026-01-01T12:03:00.000Z' },
	]);
});

test('the moments of a session are bounded, whatever comes', () => {
	const many = Array.from({ length: 400 }, (): EventTuple[] => [prompt, stop]).flat();
	const { moments = [] } = viewAfter(...many);
	expect(moments).toHaveLength(200);
	expect(moments.at(-1)?.what).toBe('idle');
});

test('a call that is held was not denied', () => {
	const events: EventTuple[] = [
		prompt,
		['tool:call', { tool: 'Bash', toolUseId: 't1', input: {} } as never],
		['gate:verdict', { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, toolUseId: 't1' } as never],
		['approval:request', { ...request[1], toolUseId: 't1' } as never],
	];
	expect(whatOf(...events)).toEqual(['working', 'waiting']);
	const expired: EventTuple = ['approval:expire', { approvalId: 'approval-1', toolUseId: 't1' } as never];
	expect(whatOf(...events, expired)).toEqual(['working', 'waiting', 'denial', 'working']);
});
