import type { EventOf } from '../contract/events/event.ts';
import type { TokenCounts, UsageTotals } from '../contract/events/usage.ts';

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

/** One answer as a sum. */
export function totalsOf(event: EventOf<'model:usage'>): UsageTotals {
	const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, costUsd } = event;
	const counts = { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens };
	return { answers: 1, ...counts, costUsd: costUsd ?? 0, unpriced: costUsd === undefined ? 1 : 0 };
}

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
