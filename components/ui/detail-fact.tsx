import type { ReactNode } from 'react';

/** One named fact of the detail pane. */
export function DetailFact({ name, children }: { name: string; children: ReactNode }) {
	return (
		<div className="flex gap-3 py-1">
			<dt className="w-20 shrink-0 text-muted">{name}</dt>
			<dd className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</dd>
		</div>
	);
}
