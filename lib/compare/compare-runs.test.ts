import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Comparison } from '../contract/archives/compare.ts';
import { categoryOf } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { compareRuns, type Run } from './compare-runs.ts';
import { recordRun } from './record-run.ts';

type TimedEvent = [type: string, fields: object, afterSeconds?: number];

const START = Date.UTC(2026, 0, 1, 12);

/** Events of one session, a second apart where nothing else is said. */
function sessionOf(sessionId: string, events: readonly TimedEvent[], start = START): IndexedEvent[] {
	let now = start;
	return events.map(([type, fields, after = 1], index) => {
		now += after * 1000;
		const ts = new Date(now).toISOString();
		const envelope = { id: `${sessionId}-${index}`, ts, category: categoryOf(type), label: '', sessionId };
		return { ...envelope, type, seq: index + 1, ...fields } as IndexedEvent;
	});
}

/** A run of sessions, given as their events. */
function runOf(...sessions: IndexedEvent[][]): Run {
	const recorder = recordRun();
	for (const events of sessions) {
		const session = recorder.session(events[0]?.sessionId ?? 's');
		for (const event of events) session.add(event);
	}
	return { head: { kind: 'session', id: 's', title: 's' }, facts: recorder.facts() };
}

const run = (events: readonly TimedEvent[], sessionId = 's') => runOf(sessionOf(sessionId, events));
const started: TimedEvent = [
	'workflow:start',
	{ workflowType: 'standard', stages: ['PLAN', 'TEST', 'DEV', 'REVIEW', 'TEST'] },
];
const over: TimedEvent[] = [
	['workflow:complete', { workflowType: 'standard' }],
	['session:end', { reason: 'exit' }],
];
const stage = (name: string, result = 'pass', agent = 'tester', seconds = 30): TimedEvent[] => [
	['stage:start', { stage: name }],
	['agent:start', { agent, stage: name, agentId: `${agent}-${name}` }],
	['agent:complete', { agent, stage: name, agentId: `${agent}-${name}`, result }, seconds],
	['stage:complete', { stage: name, result }],
];
const explained = (a: Run, b: Run) => compareRuns(a, b).divergences.map(({ explanation }) => explanation);

const anyEvents = fc
	.array(
		fc.oneof(
			fc
				.tuple(
					fc.constantFrom('PLAN', 'TEST', 'DEV', '__proto__', 'constructor'),
					fc.constantFrom('pass', 'fail', 'reject', 'x'),
					fc.constantFrom('tester', '__proto__'),
					fc.integer({ min: 0, max: 400 }),
				)
				.map((parts) => stage(...parts)),
			fc.constantFrom<TimedEvent[]>(
				[['routing:mismatch', { planId: 'p', actual: 'developer', expected: ['tester'] }]],
				[['stage:retry', { stage: 'TEST', reason: 'no' }]],
				[['parallel:start', { group: 'g', stages: ['TEST', 'DEV'] }]],
				[['command:block', { command: 'rm -rf /', reason: 'no' }]],
				[['supervisor:verdict', { hook: 'Stop', allow: false, feedback: 'tests', iteration: 1, max: 2 }]],
				[['tool:call', { toolUseId: '__proto__', tool: 'constructor', input: { command: 'ls' } }]],
				[
					[
						'model:usage',
						{
							model: '__proto__',
							messageId: 'm',
							inputTokens: 3,
							outputTokens: 1,
							cacheReadTokens: 0,
							cacheWriteTokens: 0,
							costUsd: 1,
							source: 'transcript',
						},
					],
				],
				[['error:fatal', { reason: 'x' }]],
			),
		),
		{ maxLength: 12 },
	)
	.map((parts): TimedEvent[] => [started, ...parts.flat(), ...over]);

test('a run does not differ from itself, whatever it holds, and its comparison fits the contract', () => {
	fc.assert(
		fc.property(anyEvents, (events) => {
			const found = compareRuns(run(events), run(events, 'other'));
			expect(found).toMatchObject({ isSame: true, divergence: null, divergences: [] });
			expect(found.differences.every(({ size }) => size === 0)).toBe(true);
			expect(() => Comparison.parse(found)).not.toThrow();
		}),
		{ numRuns: 25 },
	);
});

const SIDES = { first: 'second', second: 'first' } as const;

test('which of two runs is the first changes the sides and nothing else', () => {
	fc.assert(
		fc.property(anyEvents, anyEvents, (one, other) => {
			const there = compareRuns(run(one, 'one'), run(other, 'other'));
			const back = compareRuns(run(other, 'other'), run(one, 'one'));
			const mirrored = <T extends { a: unknown; b: unknown }>({ a, b, ...rest }: T) => ({ ...rest, a: b, b: a });
			expect(back.differences).toEqual(there.differences.map(mirrored));
			expect(back.stages).toEqual(there.stages.map(mirrored));
			const bare = ({
				explanation: _explanation,
				sentences: _sentences,
				...rest
			}: (typeof there.divergences)[number]) => rest;
			expect(back.divergences.map(bare)).toEqual(there.divergences.map((each) => mirrored(bare(each))));
			const words = (text: string) =>
				text.replaceAll(/\b(first|second) run\b/g, (_all, side: 'first' | 'second') => `${SIDES[side]} run`);
			for (const [position, { kind, explanation }] of back.divergences.entries())
				if (kind === 'stage') expect(explanation).toBe(words(there.divergences[position]?.explanation ?? ''));
		}),
		{ numRuns: 25 },
	);
});

test('it does not matter in which order sessions are read, nor how stages side by side are interleaved', () => {
	const one = sessionOf('one', [started, ...stage('PLAN')]);
	const two = sessionOf('two', [...stage('TEST'), ...over], START + 3_600_000);
	expect(compareRuns(runOf(one, two), runOf(two, one)).isSame).toBe(true);

	const group: TimedEvent = ['parallel:start', { group: 'quality', stages: ['REVIEW', 'TEST:2'] }];
	const [review, tests] = [stage('REVIEW', 'pass', 'code-reviewer'), stage('TEST:2')];
	const whole = (beside: TimedEvent[]) => run([started, ...stage('DEV'), group, ...beside, ...over]);
	const inTurns = whole([...review, ...tests]);
	fc.assert(
		fc.property(fc.array(fc.boolean(), { minLength: 4, maxLength: 8 }), (picks) => {
			const [left, right] = [[...review], [...tests]];
			const mixed: TimedEvent[] = [];
			for (const isLeft of picks) mixed.push(...(isLeft ? left : right).splice(0, 1));
			expect(compareRuns(inTurns, whole([...mixed, ...left, ...right])).divergences).toEqual([]);
		}),
	);
});

test('the first divergence is explained in a sentence, with its place in both', () => {
	const good = run([started, ...stage('PLAN'), ...stage('TEST'), ...over]);
	const failed = run([started, ...stage('PLAN'), ...stage('TEST', 'fail'), ...over]);
	const { divergence } = compareRuns(good, failed);
	expect(divergence).toMatchObject({
		kind: 'verdict',
		stage: 'TEST',
		nth: 1,
		a: { row: 'event:s-8' },
		b: { row: 'event:s-8' },
	});
	expect(divergence?.explanation).toBe('TEST failed in the second run; it passed in the first.');
	expect(explained(failed, good)).toEqual(['TEST failed in the first run; it passed in the second.']);

	const developer = run([started, ...stage('PLAN'), ...stage('TEST', 'pass', 'developer'), ...over]);
	expect(explained(good, developer)).toEqual(['TEST: tester was started in the first run, developer in the second.']);

	const planned: TimedEvent = ['routing:mismatch', { planId: 'p', actual: 'developer', expected: ['tester'] }];
	expect(explained(good, run([started, ...stage('PLAN'), planned, ...stage('TEST'), ...over]))).toEqual([
		'After PLAN: developer was asked for where the plan said tester in the second run only.',
	]);
	const other = run([started, ...stage('TEST'), ...stage('PLAN'), ...over]);
	expect(explained(good, other)[0]).toBe('In the first run PLAN came next, in the second TEST.');
	expect(explained(good, run([started, ...stage('PLAN'), ...over]))).toEqual(['TEST ran in the first run only.']);
	const aborted = run([started, ...stage('PLAN'), ...stage('TEST'), ['workflow:abort', {}], ['session:end', {}]]);
	expect(explained(good, aborted)).toEqual(['The first run was completed, the second was aborted.']);
});

test('what a running run has not reached yet is not a difference', () => {
	const whole = run([started, ...stage('PLAN'), ...stage('TEST'), ...stage('DEV'), ...over]);
	const [begin = started] = stage('TEST');
	expect(explained(whole, run([started, ...stage('PLAN'), begin]))).toEqual([]);
	expect(explained(whole, run([started, begin]))).toEqual(['PLAN ran in the first run only.']);
});

test('without stages the first call that differs shows where two sessions diverged', () => {
	const call = (command: string, at: number): TimedEvent[] => [
		['tool:call', { toolUseId: `t${at}`, tool: 'Bash', input: { command } }],
		['tool:result', { toolUseId: `t${at}`, tool: 'Bash', response: '' }],
	];
	const session = (...commands: string[]) => run([...commands.flatMap(call), ['session:end', {}]]);
	expect(explained(session('ls', 'cat a'), session('ls', 'cat b', 'cat c'))).toEqual([
		'Call 2 was Bash cat a in the first run and Bash cat b in the second.',
	]);
	expect(explained(session('ls'), session('ls', 'pwd'))).toEqual([
		'The first run made no call after 1; the second went on with Bash pwd.',
	]);
});

test('time of work is what lies between its events, idle time apart; a long call is work', () => {
	const long: TimedEvent[] = [
		['tool:call', { toolUseId: 't', tool: 'Bash', input: { command: 'make' } }],
		['tool:result', { toolUseId: 't', tool: 'Bash', response: '' }, 600],
	];
	const { a, b } = compareRuns(
		run([started, ...long, ...over]),
		run([started, ['prompt:submit', { prompt: 'x', source: 'user' }, 3600], ...over]),
	);
	expect([a.workMs, a.idleMs]).toEqual([602_000, 0]);
	expect([b.workMs, b.idleMs]).toEqual([1_000, 3_600_000]);
});

test('of an archived feature only its own part of a session counts', () => {
	const recorder = recordRun('cart');
	const session = recorder.session('s');
	for (const event of sessionOf('s', [
		['tool:call', { toolUseId: 'before', tool: 'Bash', input: {} }],
		['specs:init', { featureName: 'cart' }],
		...stage('PLAN'),
		['specs:archive', { featureName: 'cart' }],
		...stage('DEV'),
	]))
		session.add(event);
	const facts = recorder.facts();
	expect(facts.sessions[0]?.view.counters.calls).toBe(0);
	expect(facts.sessions[0]?.passes.map((pass) => pass.stage)).toEqual(['', 'PLAN']);
});

test('what is kept of a run is bounded, however many events it has', () => {
	const many = Array.from({ length: 500 }, (_, position) =>
		stage('DEV', position % 2 === 0 ? 'fail' : 'pass', `agent-${position}`),
	).flat();
	const facts = run([started, ...many, ...over]).facts;
	expect(facts.isCut).toBe(true);
	expect(facts.sessions[0]?.passes).toHaveLength(300);
	expect(facts.sessions[0]?.agents.size).toBe(100);
	const lines = Array.from(
		{ length: 300 },
		(_, position): TimedEvent => [
			'tool:call',
			{ toolUseId: `t${position}`, tool: 'Bash', input: { command: `${position}` } },
		],
	);
	const [pass] = compareRuns(run(lines), run(lines)).stages;
	expect([pass?.a?.lines.length, pass?.a?.more, pass?.a?.calls]).toEqual([24, 276, 300]);
});
