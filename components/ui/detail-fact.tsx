import type { ReactNode } from 'react';

/** One named fact of the detail pane; nothing where the fact is unknown. */
export function DetailFact({ name, children }: { name: string; children: ReactNode }) {
	if (children === undefined || children === null || children === '') return null;
	return (
		<div className="flex gap-3 py-1">
			<dt className="w-20 shrink-0 text-muted">{name}</dt>
			<dd className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</dd>
		</div>
	);
}

export function GridFact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<>
			<dt className="text-muted">{name}</dt>
			<dd className="[overflow-wrap:anywhere]">{children}</dd>
		</>
	);
}
