import { expect, test } from 'vitest';
import { parseEvent } from '../contract/events/event.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { commandPolicy } from '../gates/command-policy/command-policy-gate.ts';
import type { Rejudged } from './rejudge-session.ts';
import { asChangeOf, type RejudgeSettings, rejudgeKeys, withRejudgeSetting } from './rejudge-settings.ts';
import { rejudgeAll } from './testing/rejudge-all.ts';

const NONE: RejudgeSettings = { enabled: new Map() };
const excluding = (patterns: string[]): RejudgeSettings => ({ ...NONE, values: { 'commands.exclude': patterns } });
const AT = '2026-01-01T00:00:00.000Z';
const eventsOf = (...lines: ({ type: string } & Record<string, unknown>)[]) =>
	lines.map((line, index) => {
		const event = parseEvent({ id: `e${index}`, ts: AT, sessionId: 's1', category: '', label: '', ...line });
		if (!event || 'unknown' in event) throw new Error(`${line.type} does not read as one.`);
		return { ...event, seq: index + 1 } as IndexedEvent;
	});
const call = (toolUseId: string, command: unknown) => ({
	...{ type: 'tool:call', toolUseId, tool: 'Bash' },
	input: { command },
});
const ran = (toolUseId: string) => ({ type: 'tool:result', toolUseId, tool: 'Bash', response: 'ok' });
/** The verdict that the command policy itself gave. */
const verdictOn = (toolUseId: string, line: string, exclude: string[], change: object = {}) => {
	if (typeof commandPolicy.judgedBy === 'string') throw new Error('the policy judges by itself');
	const verdict = commandPolicy.judgedBy.judge({ project: '/shop', cwd: '/shop', line, exclude });
	return { type: 'gate:verdict', toolUseId, hook: 'PreToolUse', durationMs: 1, ...verdict, ...change };
};
const changedOf = ({ changed }: Rejudged) =>
	changed.map(({ toolUseId, before, after, rule, ran: did }) => [toolUseId, before, after, rule, did]);
const history = eventsOf(
	{ type: 'session:start', cwd: '/shop' },
	call('a', 'git push'),
	verdictOn('a', 'git push', ['git']),
	call('b', 'npm test'),
	verdictOn('b', 'npm test', ['git']),
	ran('b'),
	// A day on which nothing was excluded.
	call('c', 'rm -rf build'),
	ran('c'),
);

test('a change says when its call was judged', () => {
	const at = '2026-01-03T00:00:00.000Z';
	const events = eventsOf({ ...call('d', 'sudo ls'), ts: at }, { ...ran('d'), ts: '2026-01-03T00:00:05.000Z' });
	expect(rejudgeAll(events, excluding(['sudo'])).changed).toMatchObject([{ toolUseId: 'd', at }]);
});

test('R1497 with the settings of that day nothing changes; every verdict is judged again', () => {
	expect(rejudgeAll(history, NONE)).toEqual({ judged: 2, notJudged: 0, changed: [] });
	expect(rejudgeAll(history, excluding(['git'])).changed).toEqual([]);
});

test('R1497 another list of commands says what it would have stopped and what it would have spared', () => {
	expect(changedOf(rejudgeAll(history, excluding(['rm'])))).toEqual([
		['a', 'deny', 'pass', 'command.excluded', false],
		['c', 'pass', 'deny', 'command.excluded', true],
	]);
	const off = { ...NONE, enabled: new Map([['commandPolicy', false]]) };
	expect(changedOf(rejudgeAll(history, off))).toEqual([['a', 'deny', 'pass', 'command.excluded', false]]);
});

test('R1497 a list beside the one in force is tried as a change of the list of each day', () => {
	const change = (now: string[], base: string[]) => asChangeOf(excluding(now), excluding(base));
	expect(changedOf(rejudgeAll(history, change(['rm'], [])))).toEqual([['c', 'pass', 'deny', 'command.excluded', true]]);
	expect(changedOf(rejudgeAll(history, change([], ['git', 'sudo'])))).toEqual([
		['a', 'deny', 'pass', 'command.excluded', false],
	]);
	expect(rejudgeAll(history, change(['git'], ['git'])).changed).toEqual([]);
});

test('R1497 a denial that a person let pass stays passed, and another one by a stricter list does not', () => {
	const approved = {
		...{
			type: 'approval:resolve',
			approvalId: 'approval-1',
			toolUseId: 'a',
			decision: 'approve',
			by: { role: 'operator', via: 'token' },
		},
	};
	const released = verdictOn('a', 'git push', ['git'], { decision: 'pass' });
	const events = eventsOf(call('a', 'git push'), approved, released, ran('a'));
	expect(rejudgeAll(events, NONE).changed).toEqual([]);
	expect(changedOf(rejudgeAll(events, excluding(['git'])))).toEqual([]);
});

test('R1497 facts that lie elsewhere, and gates that only a model can ask, are counted and never guessed', () => {
	const blob = { blob: 'a'.repeat(64), bytes: 9, preview: 'rm' };
	const events = eventsOf(
		call('a', 'rm x'),
		verdictOn('a', 'rm x', ['rm'], { facts: { line: blob, exclude: ['rm'] } }),
		call('d', 'rm x'),
		verdictOn('d', 'rm x', ['rm'], { facts: { line: 'rm x', exclude: ['rm'], cwd: blob } }),
		call('b', blob),
		{
			type: 'gate:verdict',
			toolUseId: 'c',
			gate: 'task-breakdown',
			decision: 'deny',
			rule: 'r',
			reason: '',
			facts: {},
		},
	);
	expect(rejudgeAll(events, excluding(['ls']))).toEqual({ judged: 0, notJudged: 4, changed: [] });
});

const on = (setting: string): RejudgeSettings => ({ enabled: new Map([[setting, true]]) });
const starts = (toolUseId: string, agent: string) => ({
	...{ type: 'tool:call', toolUseId, tool: 'Task' },
	input: { subagent_type: agent, prompt: 'go' },
});
const stop = { type: 'hook:event', name: 'Stop', fields: {} };

test('R1497 a gate that was off is asked about the recorded call, with the workflow of that time', () => {
	const events = eventsOf(
		{ type: 'session:start', cwd: '/shop' },
		starts('early', 'tester'),
		{ type: 'workflow:start', workflowType: 'full' },
		starts('skips', 'tester'),
		ran('skips'),
		{ type: 'workflow:abort' },
		starts('late', 'tester'),
	);
	const { judged, notJudged, changed } = rejudgeAll(events, on('stageGuard'));
	expect([judged, notJudged]).toEqual([1, 0]);
	expect(changed).toMatchObject([
		{ toolUseId: 'skips', before: 'pass', after: 'deny', rule: 'stage.skips-required', ran: true },
	]);
	expect(rejudgeAll(events, NONE)).toEqual({ judged: 0, notJudged: 0, changed: [] });
});

test('R1497 what a gate that was off would have read, and no event holds, is counted and never guessed', () => {
	const edit = { type: 'tool:call', toolUseId: 'e', tool: 'Write', input: { file_path: '/shop/a', content: 'x' } };
	const without = eventsOf({ type: 'session:start', cwd: '/shop' }, edit, starts('s', 'tester'), stop);
	const plan = { type: 'routing:plan', planId: 'p', status: 'active', phases: [], path: 'p.json' };
	const planned = eventsOf({ type: 'session:start', cwd: '/shop' }, plan, edit, starts('s', 'tester'), stop);
	const flow = { type: 'workflow:start', workflowType: 'full' };
	const verdict = {
		...{ type: 'gate:verdict', hook: 'Stop', gate: 'loop', decision: 'pass', rule: 'loop.done', reason: '' },
		facts: { running: 1 },
	};
	const working = eventsOf(flow, stop, verdict, stop);
	const countOf = (events: IndexedEvent[], setting: string) => {
		const { judged, notJudged, changed } = rejudgeAll(events, on(setting));
		expect(changed).toEqual([]);
		return [judged, notJudged];
	};
	expect(countOf(without, 'routingEnforcer')).toEqual([0, 0]);
	expect(countOf(planned, 'routingEnforcer')).toEqual([0, 1]);
	expect(countOf(without, 'routing')).toEqual([1, 0]);
	expect(countOf(planned, 'routing')).toEqual([0, 1]);
	expect(countOf(without, 'loop')).toEqual([0, 0]);
	expect(countOf(working, 'loop')).toEqual([1, 1]);
});

test('R1497 fewer reviews would have let the later denials of a supervisor go', () => {
	const verdict = (iteration: number, allow: boolean) =>
		({ type: 'supervisor:verdict', hook: 'Stop', iteration, max: 20, allow, feedback: 'no' }) as const;
	const events = eventsOf(verdict(1, false), verdict(2, false), verdict(3, true));
	const { judged, changed } = rejudgeAll(events, { ...NONE, maxIterations: 1 });
	expect([judged, changed.length]).toEqual([3, 1]);
});

test('R1497 a setting that history cannot be asked about, or that does not fit, says what does', () => {
	expect(withRejudgeSetting(NONE, 'commands.exclude', ['rm'])).toEqual(excluding(['rm']));
	for (const [key, value] of [
		['commands.exclude', 'rm'],
		['commands.exclude', ['']],
		['supervisor.maxIterations', 0],
		['gates.routing.enabled', 'no'],
		['gates.__proto__.enabled', true],
		['gates', {}],
	] as const)
		expect(withRejudgeSetting(NONE, key, value)).toHaveProperty('wrong');
	expect(rejudgeKeys).toContain('gates.commandPolicy.enabled');
});
