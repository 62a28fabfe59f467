import * as z from 'zod';

const Count = z.int().nonnegative();

export const TokenCounts = z.object({
	/** At the full price. */
	inputTokens: Count,
	outputTokens: Count,
	/** From the provider's cache. */
	cacheReadTokens: Count,
	/** Into the provider's cache. */
	cacheWriteTokens: Count,
});
export type TokenCounts = z.infer<typeof TokenCounts>;

export const UsageTotals = TokenCounts.extend({
	answers: Count,
	/** US dollars of the answers with a price. */
	costUsd: z.number().nonnegative(),
	/** Answers of models without a price. */
	unpriced: Count,
});
export type UsageTotals = z.infer<typeof UsageTotals>;
