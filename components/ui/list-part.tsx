import { type ReactNode, useId } from 'react';

/** A list under a heading of its own, below the page's first: what is over, or stands beside what waits. */
export function ListPart({
	title,
	note,
	anchor,
	children,
}: {
	title: string;
	note?: string | undefined;
	/** Its name in an address. */
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
