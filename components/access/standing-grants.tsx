'use client';
import Link from 'next/link';
import type { AccessEntry } from '#lib/contract/access.ts';
import { countOf } from '#lib/text/count-of.ts';
import { useGrants } from '../grants/use-grants.ts';

/** Before an access is taken away: the overrides that it made stay, since revoking them is a decision of its own. */
export function StandingGrants({ id, kind }: Pick<AccessEntry, 'id' | 'kind'>) {
	const count = useGrants('active')?.filter(({ by }) => by.access === id).length ?? 0;
	if (count === 0) return null;
	return (
		<span role="status" className="text-warn">
			It made{' '}
			<Link href="/approvals" prefetch={false} className="text-accent underline">
				{countOf(count, 'active override')}
			</Link>
			, which {count === 1 ? 'stays' : 'stay'} when this {kind} ends.
		</span>
	);
}
