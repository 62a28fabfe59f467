import { type ReactNode, useId } from 'react';

/** One part of the overview, under its heading. */
export function OverviewSection({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
	const id = useId();
	return (
		<section aria-labelledby={id} className="min-w-0">
			<h3 id={id} className="border-line border-b pb-1 font-semibold">
				{title}
				{note && <span className="pl-2 font-normal text-muted text-small">{note}</span>}
			</h3>
			<div className="pt-1">{children}</div>
		</section>
	);
}
