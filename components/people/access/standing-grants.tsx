'use client';
import Link from 'next/link';
import type { AccessEntry } from '#lib/contract/access/access.ts';
import { useGrants } from '../../approvals/grants/use-grants.ts';
import { Phrase } from '../../language/phrase.tsx';
import { useSay } from '../../language/use-say.ts';

/** Before an access is taken away: the overrides that it made stay, since revoking them is a decision of its own. */
export function StandingGrants({ id, kind }: Pick<AccessEntry, 'id' | 'kind'>) {
	const say = useSay();
	const count = useGrants('active')?.filter(({ by }) => by.access === id).length ?? 0;
	if (count === 0) return null;
	return (
		<span role="status" className="text-warn">
			<Phrase
				of="It made {overrides}, which {count:stays|stay} when this {kind} ends."
				with={{
					overrides: (
						<Link href="/approvals" prefetch={false} className="text-accent underline">
							{say('{count} active {count:override|overrides}', { count })}
						</Link>
					),
					count,
					kind: say(kind),
				}}
			/>
		</span>
	);
}
