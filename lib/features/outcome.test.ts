import { expect, test } from 'vitest';
import { categoryOf } from '../contract/events/event-labels.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { workMs } from './feature-work.ts';
import { countOutcome } from './outcome.ts';

const minute = (at: number) => new Date(Date.UTC(2026, 0, 1, 12, at)).toISOString();

const counts = { inputTokens: 10, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 };

/** An answer that came at one minute and was read at another. */
const answer = (at: number, readAt: number): [number, string, object] => [
	readAt,
	'model:usage',
	{ model: 'm', messageId: `${at}`, at: minute(at), ...counts, costUsd: 1, source: 'transcript' },
];

function outcomeOf(events: readonly [at: number, type: string, fields: object][]) {
	const outcome = countOutcome('cart');
	const session = outcome.session('s');
	for (const [index, [at, type, fields]] of events.entries()) {
		const envelope = { id: `e${index}`, ts: minute(at), category: categoryOf(type), label: '', sessionId: 's' };
		session.add({ ...envelope, type, seq: index + 1, ...fields } as IndexedEvent);
	}
	return outcome.total();
}

test('a feature took what its models answered while a session worked on it, whenever that was read', () => {
	const bound: [number, string, object] = [10, 'specs:init', { featureName: 'cart' }];
	const archived: [number, string, object] = [30, 'specs:archive', { featureName: 'cart' }];
	const { usage, durationMs } = outcomeOf([
		[0, 'prompt:submit', { prompt: 'x', source: 'user' }],
		bound,
		answer(5, 11),
		answer(12, 13),
		[25, 'message:show', { text: 'Done.' }],
		[28, 'session:end', {}],
		archived,
		answer(29, 31),
		answer(40, 41),
	]);
	expect(usage).toEqual({ answers: 2, ...counts, inputTokens: 20, outputTokens: 2, costUsd: 2, unpriced: 0 });
	expect(durationMs).toBe(15 * 60_000);
	expect(outcomeOf([bound, archived])).not.toHaveProperty('usage');
});

test('a feature took until it was worked on last, not until it was archived', () => {
	const { durationMs } = outcomeOf([
		[0, 'specs:init', { featureName: 'cart' }],
		[40, 'message:show', { text: 'Done.' }],
		[41, 'session:end', { reason: 'exit' }],
		[12 * 24 * 60, 'specs:archive', { featureName: 'cart' }],
	]);
	expect(durationMs).toBe(40 * 60_000);
});

test('a duration is time of work: what was idle between is counted apart, a long call is none of it', () => {
	const call = { toolUseId: 't1', tool: 'Bash' };
	const outcome = outcomeOf([
		[0, 'specs:init', { featureName: 'cart' }],
		[1, 'tool:call', { ...call, input: { command: 'npm test' } }],
		[21, 'tool:result', { ...call, response: 'ok' }],
		[100, 'prompt:submit', { prompt: 'go on', source: 'user' }],
		[101, 'message:show', { text: 'Done.' }],
		[300, 'specs:archive', { featureName: 'cart' }],
	]);
	expect([outcome.durationMs, outcome.idleMs, workMs(outcome)]).toEqual(
		[101, 79, 22].map((minutes) => minutes * 60_000),
	);
});
