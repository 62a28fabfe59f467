import type { Route } from 'next';
import type { ReactNode } from 'react';
import { PageLink } from './text-link.tsx';
import { When } from './when.tsx';

/** A line about something finished: the time, then `children` in the second column. Links to `href`. */
export function PastLink<Path extends string>(props: { at: string; href: Route<Path>; children: ReactNode }) {
	const { at, href, children } = props;
	return (
		<PageLink href={href} className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover">
			<When at={at} />
			{children}
		</PageLink>
	);
}
