import * as z from 'zod';

const Count = z.int().nonnegative();

export const TokenCounts = z.object({
	inputTokens: Count,
	outputTokens: Count,
	cacheReadTokens: Count,
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
