import type { UsageTotals } from '#lib/contract/usage.ts';
import { costOfAll, usageTokens } from '#lib/usage/usage-words.ts';

/** What a session cost, in a column of a list: its tokens where no price is known, blank where nothing is. */
export function UsageCell({ usage }: { usage: UsageTotals | undefined }) {
	const cost = usage && costOfAll(usage);
	const tokens = usage && usageTokens(usage);
	return (
		<span className="block truncate text-right text-muted" title={cost ? tokens : undefined}>
			{cost ?? tokens}
		</span>
	);
}
