import type { TokenCounts } from './model-answer.ts';

/** Answers of models added up. */
export interface UsageTotals extends TokenCounts {
	/** How many answers. */
	answers: number;
	/** US dollars of those that have a price. */
	costUsd: number;
	/** Answers of models without a price: their tokens are counted, their cost is not known. */
	unpriced: number;
}

/** Nothing used. */
export const noUsage: UsageTotals = {
	answers: 0,
	inputTokens: 0,
	outputTokens: 0,
	cacheReadTokens: 0,
	cacheWriteTokens: 0,
	costUsd: 0,
	unpriced: 0,
};

/** Two totals as one. */
export function addUsage(one: UsageTotals, other: UsageTotals): UsageTotals {
	return {
		answers: one.answers + other.answers,
		inputTokens: one.inputTokens + other.inputTokens,
		outputTokens: one.outputTokens + other.outputTokens,
		cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
		cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
		costUsd: one.costUsd + other.costUsd,
		unpriced: one.unpriced + other.unpriced,
	};
}

/** All tokens, whatever they cost. */
export function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: TokenCounts): number {
	return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}
