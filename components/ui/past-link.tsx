import type { Route } from 'next';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { clockOrDate, clockTime } from '#lib/time/clock.ts';
import { useSay } from '../language/use-say.ts';
import { useNow } from '../live/now.ts';

/** The line of something that is over: when, then `children` in the second column; it leads to `href`. */
export function PastLink<Path extends string>({
	at,
	href,
	children,
}: {
	at: string;
	href: Route<Path>;
	children: ReactNode;
}) {
	const say = useSay();
	const now = useNow();
	return (
		<Link
			href={href}
			prefetch={false}
			className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover"
		>
			<time dateTime={at} title={clockTime(at)} className="text-muted">
				{clockOrDate(at, now, say.language)}
			</time>
			{children}
		</Link>
	);
}
