import type { UsageTotals } from '#lib/contract/events/usage.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-totals.ts';
import { useSay } from '../language/use-say.ts';

/** What a feature took so far, in words: its sessions' tokens, and their cost where a price is known. */
export function FeatureUsage({ usage }: { usage: UsageTotals | undefined }) {
	const say = useSay();
	if (!usage) return null;
	return (
		<span className="whitespace-nowrap text-muted">
			{[say.told(usageTokens(usage)), costOfAll(usage)].filter(Boolean).join(' · ')}
		</span>
	);
}
