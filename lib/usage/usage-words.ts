import type { TokenCounts, UsageTotals } from '../contract/events/usage.ts';
import { tell } from '../messages/tell.ts';
import { tokensOf } from './usage-totals.ts';

const UNITS = [
	[1_000_000_000, 'G'],
	[1_000_000, 'M'],
	[1000, 'k'],
] as const;

/** A number of tokens in few characters: `940`, `12.4k`, `1.2M`. */
export function tokenNumber(tokens: number): string {
	const [size, unit] = UNITS.find(([least]) => tokens >= least) ?? [1, ''];
	const value = tokens / size;
	return `${size > 1 && value < 100 ? value.toFixed(1) : Math.floor(value)}${unit}`;
}

/** US dollars to the cent; what is less than one is not nothing. */
export function costNumber(usd: number): string {
	if (usd > 0 && usd < 0.005) return '< $0.01';
	return `$${usd.toFixed(usd >= 1000 ? 0 : 2)}`;
}

/** All tokens in words: `12.4k tokens`. */
export function usageTokens(counts: TokenCounts): string {
	return tell('{count} tokens', { count: tokenNumber(tokensOf(counts)) });
}

/** What one answer took: `12.4k tokens · $0.42`. */
export function usageWords(counts: TokenCounts & { costUsd?: number | undefined }): string {
	const cost = counts.costUsd === undefined ? tell('no price known') : costNumber(counts.costUsd);
	return `${usageTokens(counts)} · ${cost}`;
}

/** The cost of several answers; where some have no price, that it is more: `$0.42 +`. Null where none of them has one. */
export function costOfAll({ answers, unpriced, costUsd }: Pick<UsageTotals, 'answers' | 'unpriced' | 'costUsd'>) {
	if (answers === unpriced) return null;
	return unpriced > 0 ? `${costNumber(costUsd)} +` : costNumber(costUsd);
}
