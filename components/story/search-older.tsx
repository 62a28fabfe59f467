'use client';
import { loadRange } from '../live/load-range.ts';
import { useSessionSource } from '../live/session-source.ts';
import { Button } from '../ui/button.tsx';

/** Says how far a filter has looked, and looks further on request: a huge session is never read as a whole. */
export function SearchOlder({ rows }: { rows: number }) {
	const source = useSessionSource();
	return (
		<div className="flex items-center gap-3 border-line border-b px-4 py-1 text-muted">
			{rows.toLocaleString('en')} rows were searched.
			<Button size="small" onClick={() => void loadRange(source, 'older')}>
				Search older
			</Button>
		</div>
	);
}
