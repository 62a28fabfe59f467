import type { Route } from 'next';
import Link from 'next/link';
import { type ReactNode, useId } from 'react';
import { When } from './when.tsx';

/** A list under a heading of its own, below the page's first: what is over, or stands beside what waits. */
export function ListPart({
	title,
	note,
	anchor,
	children,
}: {
	title: string;
	note?: string | undefined;
	anchor?: string;
	children: ReactNode;
}) {
	const id = useId();
	return (
		<section id={anchor} aria-labelledby={id} className="scroll-mt-14">
			<h2 id={id} className="pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{title}
			</h2>
			{note && <p className="pb-1 text-muted">{note}</p>}
			<ul className="border-line border-t">{children}</ul>
		</section>
	);
}

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
	return (
		<Link
			href={href}
			prefetch={false}
			className="grid grid-cols-[4rem_minmax(0,1fr)] gap-x-3 px-2 py-1.5 hover:bg-hover"
		>
			<When at={at} />
			{children}
		</Link>
	);
}
