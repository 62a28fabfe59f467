import * as z from 'zod';

const Count = z.int().nonnegative();

/** What answers of models took, in tokens. */
export const TokenCounts = z.object({
	/** Read anew, at the full price. */
	inputTokens: Count,
	outputTokens: Count,
	/** Read from the provider's cache. */
	cacheReadTokens: Count,
	/** Written to the provider's cache. */
	cacheWriteTokens: Count,
});
export type TokenCounts = z.infer<typeof TokenCounts>;

/** Answers of models added up. */
export const UsageTotals = TokenCounts.extend({
	/** How many answers. */
	answers: Count,
	/** US dollars of those that have a price. */
	costUsd: z.number().nonnegative(),
	/** Answers of models without a price: their tokens are counted, their cost is not known. */
	unpriced: Count,
});
export type UsageTotals = z.infer<typeof UsageTotals>;
