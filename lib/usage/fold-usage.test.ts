import { expect, test } from 'vitest';
import { inEnglish } from '../messages/sentence.ts';
import { summarise } from '../session/summarise.ts';
import { type EventTuple, viewAfter } from '../session/testing/view-after.ts';
import { costOfAll, tokenNumber, usageWords } from './usage-totals.ts';

const used = (
	model: string,
	agentId?: string,
	more: Partial<(EventTuple & ['model:usage', object])[1]> = {},
): EventTuple => [
	'model:usage',
	{
		model,
		messageId: 'm',
		inputTokens: 10,
		outputTokens: 1,
		cacheReadTokens: 100,
		cacheWriteTokens: 5,
		source: 'transcript',
		...more,
	},
	agentId,
];

test('a session adds up what its models took, by model, agent and stage', () => {
	const { usage } = viewAfter(
		used('opus', undefined, { costUsd: 0.5 }),
		used('haiku', 'a1', { costUsd: 0.25, stage: 'DEV' }),
		used('haiku', 'a1', { stage: 'DEV' }),
	);
	expect(usage?.total).toEqual({
		answers: 3,
		inputTokens: 30,
		outputTokens: 3,
		cacheReadTokens: 300,
		cacheWriteTokens: 15,
		costUsd: 0.75,
		unpriced: 1,
	});
	expect(usage?.models.map(({ name, answers }) => [name, answers])).toEqual([
		['opus', 1],
		['haiku', 2],
	]);
	expect(usage?.agents.map(({ name, costUsd }) => [name, costUsd])).toEqual([
		['', 0.5],
		['a1', 0.25],
	]);
	expect(usage?.stages.map(({ name, unpriced }) => [name, unpriced])).toEqual([['DEV', 1]]);
	expect(viewAfter(['prompt:submit', { prompt: 'x', source: 'user' }]).usage).toBeUndefined();
});

test('however many names there are, a view stays small and loses no token', () => {
	const { usage } = viewAfter(
		...Array.from({ length: 200 }, (_, n) => used(`model-${n}`, `agent-${n}`, { readTo: n })),
	);
	expect(usage?.models).toHaveLength(20);
	expect(usage?.models.at(-1)).toMatchObject({ name: '', others: true, answers: 181 });
	expect(usage?.agents).toHaveLength(100);
	expect(usage?.read).toHaveLength(100);
	expect(usage?.total.answers).toBe(200);
});

test('numbers are short, and a missing price is named', () => {
	expect([0, 940, 12_440, 123_456, 1_240_000, 2_000_000_000].map(tokenNumber)).toEqual([
		...['0', '940', '12.4k', '123k', '1.2M', '2.0G'],
	]);
	const counts = { inputTokens: 900, outputTokens: 40, cacheReadTokens: 0, cacheWriteTokens: 0 };
	expect(inEnglish(usageWords({ ...counts, costUsd: 0.421 }))).toBe('940 tokens · $0.42');
	expect(inEnglish(usageWords({ ...counts, costUsd: 0.001 }))).toBe('940 tokens · < $0.01');
	expect(inEnglish(usageWords(counts))).toBe('940 tokens · no price known');
	expect(costOfAll({ answers: 2, unpriced: 2, costUsd: 0 })).toBeNull();
	expect(costOfAll({ answers: 2, unpriced: 1, costUsd: 3 })).toBe('$3.00 +');
});

test('the list has a session’s sum, and nothing where nothing is known', () => {
	const summary = summarise(viewAfter(used('opus', undefined, { costUsd: 0.5 })), 0);
	expect(summary.usage).toMatchObject({ answers: 1, costUsd: 0.5 });
	expect(summarise(viewAfter(['prompt:submit', { prompt: 'x', source: 'user' }]), 0)).not.toHaveProperty('usage');
});
