'use client';
import Link from 'next/link';
import { UNASKED_ANCHOR } from '../../approvals/unasked-anchor.ts';
import { useUnasked } from '../../approvals/use-unasked.ts';
import { useSay } from '../../language/use-say.ts';

/** For a person who comes back: that calls were denied while no one was asked. It waits for nobody, so no badge counts it. */
export function UnaskedLine() {
	const say = useSay();
	const count = useUnasked().length;
	if (count === 0) return null;
	return (
		<p className="px-4 pt-2">
			<Link
				href={`/approvals#${UNASKED_ANCHOR}`}
				className="inline-flex min-h-6 items-center text-accent hover:underline pointer-coarse:min-h-10"
			>
				{say('{count} denied, and no one was asked', { count })}
			</Link>
		</p>
	);
}
