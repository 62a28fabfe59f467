import { deltaWords, differenceName } from '#lib/compare/difference-words.ts';
import type { Comparison, Difference } from '#lib/contract/archives/compare.ts';
import { useSay } from '../language/use-say.ts';

/** The totals that say what a run took, in the order in which a reader asks. */
const COSTS = ['work', 'cost', 'inputTokens', 'outputTokens', 'retries', 'denials', 'overrides'];

/** What the second run took more or less than the first, in one line; nothing where they took the same. */
export function CostLine({ found: { differences } }: { found: Comparison }) {
	const say = useSay();
	const told = COSTS.flatMap((name) => differences.find((each) => each.group === 'run' && each.name === name) ?? []);
	const apart = told.filter(isApart);
	if (apart.length === 0) return null;
	return (
		<section aria-label={say('What it cost more')} className="flex flex-wrap gap-x-4 gap-y-1">
			<span className="text-muted">{say('Against the first, the second run took')}</span>
			{apart.map((each) => (
				<span key={each.name}>
					<span className="text-muted">{differenceName(each, say)}</span>{' '}
					<strong className="font-semibold tabular-nums">{deltaWords(each, say.language)}</strong>
				</span>
			))}
		</section>
	);
}

const isApart = ({ a, b }: Difference) => a !== null && b !== null && a !== b;
