'use client';
import { useSay } from '../../language/use-say.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';

/** Why the story is empty: nothing yet, or nothing fits the filters. */
export function StoryEmpty({ filtering, more }: { filtering: boolean; more: boolean }) {
	const say = useSay();
	const [, setParams] = useSessionParams();
	if (!filtering)
		return <p className="p-4 text-muted">{say('Nothing has happened yet. Rows appear here by themselves.')}</p>;
	return (
		<div className="flex items-center gap-3 p-4 text-muted">
			{more ? say('No row fits the filters so far.') : say('No row fits the filters.')}
			<Button size="small" onClick={() => void setParams({ tool: null, agent: null, type: null, decision: null })}>
				{say('Clear filters')}
			</Button>
		</div>
	);
}
