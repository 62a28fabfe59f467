'use client';
import Link from 'next/link';
import { UNASKED_ANCHOR } from '../../approvals/unasked-anchor.ts';
import { useUnasked } from '../../approvals/use-unasked.ts';
import { useSay } from '../../language/use-say.ts';

/** For a person who comes back: that calls were denied while nobody was asked. It waits for nobody, so no badge counts it. */
export function UnaskedLine() {
	const say = useSay();
	const count = useUnasked().length;
	if (count === 0) return null;
	return (
		<p className="px-4 pt-3 text-muted">
			<Link href={`/approvals#${UNASKED_ANCHOR}`} className="inline-flex min-h-6 items-center hover:underline">
				{say('{count} denied, and nobody was asked', { count })}
			</Link>
		</p>
	);
}
