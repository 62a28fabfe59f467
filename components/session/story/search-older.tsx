'use client';
import { useSay } from '../../language/use-say.ts';
import { loadRange } from '../../live/load-range.ts';
import { useSessionSource } from '../../live/session-source.ts';
import { Button } from '../../ui/button.tsx';

/** Says how far a filter has looked, and looks further on request: a huge session is never read as a whole. */
export function SearchOlder({ rows }: { rows: number }) {
	const say = useSay();
	const source = useSessionSource();
	return (
		<div className="flex items-center gap-3 border-line border-b px-4 py-1 text-muted">
			{say('{rows} rows were searched.', { rows })}
			<Button size="small" onClick={() => void loadRange(source, 'older')}>
				{say('Search older')}
			</Button>
		</div>
	);
}
