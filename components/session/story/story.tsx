'use client';
import { useCallback, useMemo } from 'react';
import type { StoryFilter } from '#lib/timeline/story-filter.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { useRoving } from '../../ui/use-roving.ts';
import { StoryFilters } from './story-filters.tsx';
import { StoryList } from './story-list.tsx';

/** The story of a session: filters over a window of rows, the newest at the bottom. */
export function Story({ sessionId }: { sessionId: string }) {
	const [params, setParams] = useSessionParams();
	const { tool, agent, type, decision, label, row } = params;
	const filter: StoryFilter = useMemo(
		() => ({ tool, agent, type, decision, label }),
		[tool, agent, type, decision, label],
	);
	const change = useCallback((to: Partial<StoryFilter>) => void setParams(to), [setParams]);
	const choose = useCallback((key: string) => void setParams({ row: key }), [setParams]);
	const roving = useRoving((key) => row && !key.startsWith('fold:') && setParams({ row: key }, { history: 'replace' }));
	return (
		<div className="relative flex min-h-0 flex-1 flex-col" ref={roving.listRef}>
			<StoryFilters sessionId={sessionId} filter={filter} onChange={change} />
			<StoryList sessionId={sessionId} filter={filter} selected={row} active={roving.active} onChoose={choose} />
		</div>
	);
}
