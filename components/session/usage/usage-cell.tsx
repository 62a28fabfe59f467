import type { UsageTotals } from '#lib/contract/events/usage.ts';
import { costOfAll, tokenNumber, tokensOf } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';

/** What a session cost, in a column of a list: its tokens where no price is known, blank where nothing is. */
export function UsageCell({ usage }: { usage: UsageTotals | undefined }) {
	const cost = usage && costOfAll(usage);
	const say = useSay();
	const tokens = usage && say('{count} tokens', { count: tokenNumber(tokensOf(usage)) });
	return (
		<span className="block truncate text-right text-muted" title={cost ? tokens : undefined}>
			{cost ?? tokens}
		</span>
	);
}
