import type { Route } from 'next';
import Link from 'next/link';
import type { LedgerFilter } from '#lib/contract/archives/decisions.ts';
import { useSay } from '../language/use-say.ts';

interface LedgerCountProps {
	count: number;
	kind: NonNullable<LedgerFilter['kind']>;
	rule?: string;
	/** Parts of sessions that were counted, see `FeatureOutcome`; of counts that lack them the lines are not known. */
	spans?: readonly string[] | undefined;
}

/** Of an override the next thing to know is how it went on. */
const NEXT: Partial<Record<LedgerCountProps['kind'], { followed: 'true' }>> = { overridden: { followed: 'true' } };

/** A number that leads to the lines of the ledger that it counts. */
export function LedgerCount({ count, kind, rule, spans }: LedgerCountProps) {
	const say = useSay();
	const [name, value] = rule === undefined ? ['session', spans?.join(',')] : ['rule', rule];
	if (count === 0 || !value) return count;
	return (
		<Link
			href={`/decisions?${new URLSearchParams({ kind, [name]: value, ...NEXT[kind] })}` as Route}
			prefetch={false}
			aria-label={say('{count}: show these decisions', { count })}
			className="text-accent hover:underline"
		>
			{count}
		</Link>
	);
}
