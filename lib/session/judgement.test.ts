import { expect, test } from 'vitest';
import type { Judgement } from '../contract/sessions/read-model/session-summary.ts';
import { judgementAt, judgementsOf, judgementsOfAll } from './judgement.ts';
import { type EventTuple, ran, started, upToDev, viewAfter } from './testing/view-after.ts';

const NOW = Date.UTC(2026, 0, 1, 13);
const wordsOf = (...events: EventTuple[]) => judgementsOf(viewAfter(...events), NOW).map(({ text }) => text);

const prompt: EventTuple = ['prompt:submit', { prompt: 'Build it.', source: 'user' }];
const called: EventTuple[] = [
	[
		'tool:call',
		{ tool: 'Agent', toolUseId: 't1', input: { subagent_type: 'architect', description: 'design' } } as never,
	],
	['routing:mismatch', { planId: 'p', actual: 'architect', expected: ['developer'], toolUseId: 't1' } as never],
	[
		'gate:verdict',
		{
			...{ gate: 'routing-plan', decision: 'deny', rule: 'routing.agent-in-plan', reason: 'no', facts: {} },
			toolUseId: 't1',
		} as never,
	],
];
const blocked = (feedback: string): EventTuple[] => [
	['supervisor:review', { hook: 'Stop', iteration: 2, max: 20 }],
	['supervisor:verdict', { hook: 'Stop', iteration: 2, max: 20, allow: false, feedback }],
];

test('a call that the plan did not expect is described by its agent, with its outcome', () => {
	expect(wordsOf(prompt, ...called)).toEqual(['architect not in plan, denied']);
	const ask: EventTuple = [
		'approval:request',
		{
			...{ approvalId: 'approval-1', tool: 'Agent', input: {}, inputDigest: 'd', denials: [], toolUseId: 't1' },
			deadline: '2026-01-01T14:00:00.000Z',
		} as never,
	];
	expect(wordsOf(prompt, ...called, ask)).toEqual(['architect not in plan, waiting']);
	const approve: EventTuple = [
		'approval:resolve',
		{
			approvalId: 'approval-1',
			decision: 'approve',
			by: { role: 'operator', via: 'browser' },
			toolUseId: 't1',
		} as never,
	];
	expect(wordsOf(prompt, ...called, ask, approve)).toEqual(['architect not in plan, approved']);
});

test('agents that the plan did not expect are counted by name and outcome; others are only numbered', () => {
	const mismatch = (actual: string, toolUseId: string): EventTuple => [
		'routing:mismatch',
		{ planId: 'p', actual, expected: ['developer'], toolUseId } as never,
	];
	expect(wordsOf(prompt, mismatch('auditor', 't1'), mismatch('architect', 't2'))).toEqual([
		'architect not in plan, denied; 1 more',
	]);
	expect(wordsOf(prompt, ...['t1', 't2'].map((id) => mismatch('architect', id)))).toEqual([
		'architect not in plan ×2, denied',
	]);
});

test('a denial is counted once: a mismatch with the plan is not counted as another', () => {
	const verdict = { gate: 'command-policy', decision: 'deny', rule: 'command.excluded', reason: 'no', facts: {} };
	const other: EventTuple[] = [
		['tool:call', { tool: 'Bash', toolUseId: 't2', input: { command: 'sudo ls' } } as never],
		['gate:verdict', { ...verdict, toolUseId: 't2' } as never],
	];
	expect(wordsOf(prompt, ...called, ...other)).toEqual(['architect not in plan, denied', '1 denied']);
});

test('what the supervisor said is shown with its number, and a running review with its start', () => {
	expect(wordsOf(prompt, ...blocked('tests not run'))).toEqual(['sent back 2 of 20: tests not run']);
	const [, verdict] = blocked('');
	const view = viewAfter(prompt, ['supervisor:review', { hook: 'Stop', iteration: 3, max: 20 }]);
	expect(judgementsOf(view, NOW)).toMatchObject([{ text: 'reviewing', since: view.supervisor[0]?.at, tone: 'run' }]);
	expect(wordsOf(prompt, verdict as EventTuple)).toEqual(['sent back 2 of 20']);
});

test('a review that nobody works on any more was cut off', () => {
	const deadline = '2026-01-01T12:10:00.000Z';
	const view = viewAfter(prompt, ['supervisor:review', { hook: 'Stop', iteration: 1, max: 20, deadline }]);
	const [review] = judgementsOf(view, NOW);
	expect(review && judgementAt(review, Date.parse(deadline) - 1).text).toBe('reviewing');
	expect(review && judgementAt(review, NOW)).toMatchObject({ text: 'review cut off', tone: 'warn' });
});

test('alarms come before stages that wait, these before the plan, the supervisor, a validator and counts', () => {
	const events: EventTuple[] = [
		...upToDev,
		...ran('REVIEW', 'fail', 'no tests'),
		...called,
		['tool:result', { tool: 'Agent', toolUseId: 't1' } as never],
		...blocked('tests not run'),
		['validator:assessment', { validator: 'spawn', allowed: false, reasoning: 'too complex' }],
		['hook:event', { name: 'Stop', fields: {} }],
	];
	const found = judgementsOf(viewAfter(...events), NOW);
	expect(found.map(({ by }) => by)).toEqual([...['alarm', 'stage', 'routing', 'supervisor', 'validator']]);
	expect(found[0]?.text).toBe('denied, but ran: Agent design');
	expect(found[1]?.text).toBe('REVIEW waits for you: no tests');
	const working = judgementsOf(viewAfter(...events.slice(0, -1)), NOW);
	expect(working.at(-1)).toMatchObject({ by: 'stage', text: 'REVIEW failed: no tests' });
});

test('if all went well, a short judgement says that', () => {
	expect(wordsOf(prompt, ...upToDev)).toEqual(['DEV passed']);
	expect(wordsOf(started)).toEqual([]);
});

test('hostile words are one bounded line', () => {
	const [word = ''] = wordsOf(prompt, ...blocked(`line\nbreak ${'x'.repeat(10_000)}`));
	expect(word).not.toContain('\n');
	expect(word.length).toBeLessThanOrEqual(160);
});

test('the judgements of several sessions are in the one order, good ones last', () => {
	const judgement = (by: Judgement['by'], tone: Judgement['tone']): Judgement => ({ by, tone, text: `${by} ${tone}` });
	const all = judgementsOfAll([
		[judgement('gate', 'err'), judgement('stage', 'ok')],
		[judgement('stage', 'wait'), judgement('routing', 'err'), judgement('supervisor', 'ok')],
		[judgement('alarm', 'err')],
	]);
	expect(all.map(({ text }) => text)).toEqual([
		...['alarm err', 'stage wait', 'routing err', 'gate err', 'supervisor ok', 'stage ok'],
	]);
});
