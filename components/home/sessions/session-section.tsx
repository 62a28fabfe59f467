import type { ReactNode } from 'react';

interface SessionSectionProps {
	title: string;
	count?: number;
	children: ReactNode;
}

/** A part of the list of sessions under its heading. */
export function SessionSection({ title, count, children }: SessionSectionProps) {
	return (
		<section aria-label={title}>
			<h2 className="px-4 pt-4 pb-1 font-semibold text-muted text-small uppercase tracking-wide">
				{title} {count !== undefined && <span className="font-normal">{count}</span>}
			</h2>
			<ul className="@container border-line border-t">{children}</ul>
		</section>
	);
}
