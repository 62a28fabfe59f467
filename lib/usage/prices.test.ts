import { expect, test } from 'vitest';
import type { ModelAnswer } from './model-answer.ts';
import { costOf, listPrices, plainModel } from './prices.ts';
import { readPrices } from './usage-settings.ts';

const answer = (model: string, more: Partial<ModelAnswer> = {}): ModelAnswer => ({
	messageId: 'm',
	model,
	inputTokens: 1_000_000,
	outputTokens: 100_000,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	cacheHourTokens: 0,
	webSearches: 0,
	...more,
});

test('an answer costs what the list says, by whichever provider’s name its model goes', () => {
	const names = [
		'claude-opus-4-5',
		'claude-opus-4-5-20251101',
		'claude-opus-4-5@20251101',
		'us.anthropic.claude-opus-4-5-20251101-v1:0',
		'claude-opus-4-5[1m]',
	];
	expect(names.map((name) => costOf(answer(name), listPrices))).toEqual(names.map(() => 7.5));
	expect(plainModel('claude-opus-4-20250514')).toBe('claude-opus-4');
	expect(costOf(answer('gpt-9'), listPrices)).toBeUndefined();
	expect(costOf(answer('__proto__'), listPrices)).toBeUndefined();
});

test('caches, long prompts, faster runs, searches and a place have prices of their own', () => {
	const opus = (more: Partial<ModelAnswer>) =>
		costOf(answer('claude-opus-5-5', { outputTokens: 0, ...more }), listPrices);
	expect(opus({ inputTokens: 0, cacheReadTokens: 1_000_000 })).toBeCloseTo(0.2);
	expect(opus({ inputTokens: 0, cacheWriteTokens: 1_000_000, cacheHourTokens: 400_000 })).toBeCloseTo(6.2);
	expect(opus({ fast: true })).toBeCloseTo(8);
	expect(opus({ usOnly: true, webSearches: 2 })).toBeCloseTo(4.42);
	expect(costOf(answer('claude-sonnet-5', { fast: true }), listPrices)).toBeUndefined();
	const haiku = (inputTokens: number) =>
		costOf(answer('claude-haiku-5-5', { inputTokens, outputTokens: 0 }), listPrices);
	expect(haiku(100_000)).toBeCloseTo(0.01);
	expect(haiku(200_000)).toBeCloseTo(0.1);
});

test('a person’s prices win over the list; what does not fit is named and harms no other', () => {
	const prices = { 'claude-opus-5-5': { input: 1, output: 2 }, b: { input: -1, output: 2 }, c: 7 };
	const { table, problems } = readPrices({ usage: { prices } });
	expect(costOf(answer('claude-opus-5-5', { cacheReadTokens: 1_000_000 }), table)).toBeCloseTo(1.3);
	expect(costOf(answer('claude-sonnet-5'), table)).toBe(3);
	expect(table.date).toBe('2026-11-22, settings');
	expect(problems).toHaveLength(2);
	for (const wrong of [undefined, 7, { usage: 7 }, { usage: { prices: [] } }]) {
		expect(readPrices(wrong).table.date).toBe('2026-11-22');
	}
});
