import dynamic from 'next/dynamic';
import { useCallback, useMemo } from 'react';
import type { StoryFilter } from '#lib/timeline/story.ts';
import { readStored, writeStored } from '../../live/browser-storage.ts';
import { type Reading, readings, useSessionParams } from '../../row/search-params.ts';
import { useRoving } from '../../ui/use-roving.ts';
import { StoryFilters } from './story-filters.tsx';
import { StoryList } from './story-list.tsx';

const Conversation = dynamic(() => import('./conversation.tsx').then((module) => module.Conversation));

/** The story of a session: as a tree, row by row, or as what people and agents said; the newest at the bottom. */
export function Story({ sessionId }: { sessionId: string }) {
	const [params, setParams] = useSessionParams();
	const { tool, agent, type, decision, label, row } = params;
	const reading = params.reading ?? keptReading();
	const filter: StoryFilter = useMemo(
		() => ({ tool, agent, type, decision, label }),
		[tool, agent, type, decision, label],
	);
	const change = useCallback((to: Partial<StoryFilter>) => void setParams(to), [setParams]);
	const read = useCallback(
		(chosen: Reading) => {
			writeStored(KEY, chosen);
			void setParams({ reading: chosen }, { history: 'replace' });
		},
		[setParams],
	);
	const choose = useCallback((key: string) => void setParams({ row: key }), [setParams]);
	const roving = useRoving((key) => row && !key.startsWith('fold:') && setParams({ row: key }, { history: 'replace' }));
	return (
		<div className="relative flex min-h-0 flex-1 flex-col" ref={roving.listRef}>
			<StoryFilters sessionId={sessionId} filter={filter} reading={reading} onChange={change} onRead={read} />
			{reading === 'conversation' ? (
				<Conversation sessionId={sessionId} filter={filter} selected={row} onChoose={choose} />
			) : (
				<StoryList
					sessionId={sessionId}
					filter={filter}
					reading={reading}
					selected={row}
					active={roving.active}
					onChoose={choose}
				/>
			)}
		</div>
	);
}

const KEY = 'signalbox-story';

/** How this browser read a story last; as a tree at first. */
const keptReading = (): Reading => readings.find((each) => each === readStored(KEY)) ?? 'tree';
