import type { UsageTotals } from '#lib/contract/usage.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-words.ts';

/** What a feature took so far, in words: its sessions' tokens, and their cost where a price is known. */
export function FeatureUsage({ usage }: { usage: UsageTotals | undefined }) {
	if (!usage) return null;
	return (
		<span className="whitespace-nowrap text-muted">
			{[usageTokens(usage), costOfAll(usage)].filter(Boolean).join(' · ')}
		</span>
	);
}
