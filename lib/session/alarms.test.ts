import { expect, test } from 'vitest';
import { isRaised, isUnseen, judgementsOf } from './judgement.ts';
import { summarise } from './summarise.ts';
import { type EventTuple, viewAfter } from './testing/view-after.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 30);
const by = { role: 'operator', via: 'browser' } as const;
const denied: EventTuple[] = [
	['prompt:submit', { prompt: 'Build it.', source: 'user' }],
	['tool:call', { tool: 'Bash', toolUseId: 't1', input: { command: 'rm -rf build' } } as never],
	['gate:verdict', { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, toolUseId: 't1' } as never],
];
const ranAll: EventTuple[] = [...denied, ['tool:result', { tool: 'Bash', toolUseId: 't1' } as never]];
const seen: EventTuple = ['alarm:acknowledge', { alarm: 'call:t1', by }];
const later = (until: string): EventTuple => ['alarm:snooze', { alarm: 'call:t1', until, by }];

test('R1450 denied means that it did not run: what waits, was overridden or ran all the same is not counted', () => {
	expect(viewAfter(...denied).counters).toMatchObject({ denials: 1, deniedButRan: 0 });
	expect(viewAfter(...ranAll).counters).toMatchObject({ denials: 0, deniedButRan: 1 });
	expect(viewAfter(...denied).rules).toEqual({ r: { denied: 1, overridden: 0 } });
	expect(viewAfter(...ranAll).rules).toEqual({ r: { denied: 0, overridden: 0 } });
});

test('an alarm has its instant and its cause', () => {
	expect(viewAfter(...ranAll).alarms).toEqual([
		{ key: 'call:t1', kind: 'denied-but-ran', at: '2026-01-01T12:03:00.000Z', cause: 'Bash rm -rf build' },
	]);
});

test('an acknowledged alarm leaves the list and is still shown, in no loud tone', () => {
	const view = viewAfter(...ranAll, seen);
	expect(summarise(view, NOW).alarms).toEqual([]);
	expect(judgementsOf(view, NOW)).toMatchObject([{ tone: 'plain', text: '1 alarm seen' }]);
});

test('a snoozed alarm is raised again when its time comes', () => {
	const view = viewAfter(...ranAll, later('2026-01-01T12:20:00.000Z'));
	const [alarm] = view.alarms ?? [];
	expect(alarm && isRaised(alarm, view.handled, Date.UTC(2026, 0, 1, 12, 10))).toBe(false);
	expect(alarm && isRaised(alarm, view.handled, NOW)).toBe(true);
	expect(isUnseen('call:t1', view.handled)).toBe(true);
	expect(summarise(view, NOW).alarms).toMatchObject([{ key: 'call:t1', until: '2026-01-01T12:20:00.000Z' }]);
});

test('a postponed alarm is shown as postponed, not as acknowledged', () => {
	const view = viewAfter(...ranAll, later('2026-01-01T14:00:00.000Z'));
	expect(judgementsOf(view, NOW)).toMatchObject([{ tone: 'plain', text: '1 alarm put off' }]);
});

test('a person’s action on an alarm is not a sign of life', () => {
	const before = viewAfter(...denied);
	const after = viewAfter(...denied, ['alarm:acknowledge', { alarm: `silent:${before.lastAt}`, by }]);
	expect(after.lastAt).toBe(before.lastAt);
	expect(after.activity).toEqual(before.activity);
	expect(summarise(after, NOW).quiet).toEqual({ since: before.lastAt });
	const events: EventTuple[] = [
		...denied,
		['alarm:acknowledge', { alarm: `silent:${before.lastAt}`, by }],
		...denied.slice(0, 1),
	];
	expect(summarise(viewAfter(...events), NOW).quiet).toBeUndefined();
});

test('an alarm that turns out to be false is none', () => {
	const unseen: EventTuple = ['tool:result', { tool: 'Bash', toolUseId: 't9' } as never];
	const called: EventTuple = ['tool:call', { tool: 'Bash', toolUseId: 't9', input: {} } as never];
	expect(viewAfter(unseen).alarms).toMatchObject([{ kind: 'ran-unjudged' }]);
	expect(viewAfter(unseen, called).alarms).toEqual([]);
});
