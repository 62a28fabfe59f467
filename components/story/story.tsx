'use client';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Row } from '#lib/session/row.ts';
import { WINDOW_ROWS } from '#lib/timeline/row-window.ts';
import { filterChoices, isFiltering, type StoryFilter, showsRow } from '#lib/timeline/story-filter.ts';
import { type StoryItem, storyItems } from '#lib/timeline/story-items.ts';
import { useShortcut } from '../frame/use-shortcut.ts';
import { loadRange, loadTail } from '../live/load-range.ts';
import { useSession, useSessionSource } from '../live/session-source.ts';
import { useSessionParams } from '../session/search-params.ts';
import { useActorName } from '../session/use-actor-name.ts';
import { Button } from '../ui/button.tsx';
import { cn } from '../ui/cn.ts';
import { useRoving } from '../ui/use-roving.ts';
import { FoldRow } from './fold-row.tsx';
import { SearchOlder } from './search-older.tsx';
import { StoryEmpty } from './story-empty.tsx';
import { StoryFilters } from './story-filters.tsx';
import { StoryRow } from './story-row.tsx';
import { useStoryVirtual } from './use-story-virtual.ts';

/** Rows this close (px) to an edge of the loaded stretch fetch the next range. */
const FETCH_WITHIN = 600;
/** So many rows fill any screen; with fewer, older ones are searched as far as memory allows. */
const FILLS = 60;

const NO_ROWS: readonly Row[] = [];

/** The story of a session: a window of rows, the newest at the bottom. */
export function Story({ sessionId }: { sessionId: string }) {
	const source = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const arrived = useSession(sessionId, (session) => session.arrived) ?? 0;
	const [params, setParams] = useSessionParams();
	const { tool, agent, type, decision } = params;
	const filter: StoryFilter = useMemo(() => ({ tool, agent, type, decision }), [tool, agent, type, decision]);
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const [seen, setSeen] = useState(arrived);
	const nameOf = useActorName(sessionId);
	const folder = useSession(sessionId, ({ view }) => view?.cwd ?? null);
	const scrollRef = useRef<HTMLDivElement>(null);
	const rows = window?.rows ?? NO_ROWS;
	const shown = useMemo(() => rows.filter((row) => showsRow(row, filter)), [rows, filter]);
	const items = useMemo(() => storyItems(shown, open), [shown, open]);
	const choices = useMemo(() => filterChoices(rows), [rows]);
	const virtual = useStoryVirtual(items, scrollRef, params.row, source.readsFrom);
	const roving = useRoving(
		(key) => params.row && !key.startsWith('fold:') && setParams({ row: key }, { history: 'replace' }),
	);
	const atEnd = window?.atTail === true && virtual.isAtEnd(40);
	const isShort = shown.length < FILLS;
	const drawn = virtual.getVirtualItems();
	const tabStop = drawn.some(({ key }) => key === roving.active) ? roving.active : drawn.at(-1)?.key;

	useEffect(() => {
		if (atEnd) setSeen(arrived);
	}, [atEnd, arrived]);

	// After every draw: scrolling moves the edges without changing anything that an effect could name.
	useEffect(() => {
		const box = scrollRef.current;
		if (!window || !box) return;
		if (window.hasOlder && (isShort ? rows.length < WINDOW_ROWS : box.scrollTop < FETCH_WITHIN))
			void loadRange(source, 'older');
		else if (!window.atTail && virtual.getDistanceFromEnd() < FETCH_WITHIN) void loadRange(source, 'newer');
	});

	async function follow() {
		await loadTail(source);
		virtual.scrollToEnd();
		setSeen(arrived);
	}
	useShortcut('follow', () => void follow());

	function choose(item: StoryItem) {
		if (item.kind === 'row') return void setParams({ row: item.key });
		const next = new Set(open);
		if (!next.delete(item.key)) next.add(item.key);
		setOpen(next);
	}

	const fresh = arrived - seen;
	const isSearched = isFiltering(filter) && isShort && window?.hasOlder === true && rows.length >= WINDOW_ROWS;
	return (
		<div className="relative flex min-h-0 flex-1 flex-col" ref={roving.listRef}>
			<StoryFilters choices={choices} filter={filter} nameOf={nameOf} onChange={(change) => void setParams(change)} />
			{items.length === 0 && <StoryEmpty filtering={isFiltering(filter)} more={window?.hasOlder === true} />}
			{isSearched && <SearchOlder rows={rows.length} />}
			<div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto [overflow-anchor:none]">
				<ul aria-label="Story" className="relative" style={{ height: virtual.getTotalSize() }}>
					{drawn.map(({ index, key, start, size }) => {
						const item = items[index];
						if (!item) return null;
						const actor = nameOf(item.kind === 'fold' ? item.rows[0]?.agentId : item.row.agentId);
						return (
							<li
								key={key}
								aria-setsize={window?.hasOlder ? -1 : items.length}
								aria-posinset={index + 1}
								className="absolute inset-x-0 top-0 border-line/60 border-b"
								style={{ height: size, transform: `translateY(${start}px)` }}
							>
								<button
									type="button"
									data-row={item.key}
									tabIndex={item.key === tabStop ? 0 : -1}
									aria-expanded={item.kind === 'fold' ? item.open : undefined}
									aria-current={item.key === params.row || undefined}
									onClick={() => choose(item)}
									className={cn(
										'flex size-full px-4 text-left hover:bg-hover',
										item.key === params.row && 'bg-selected hover:bg-selected',
									)}
								>
									{item.kind === 'fold' ? (
										<FoldRow item={item} actor={actor} folder={folder} />
									) : (
										<StoryRow row={item.row} actor={item.inFold ? '' : actor} inFold={item.inFold} folder={folder} />
									)}
								</button>
							</li>
						);
					})}
				</ul>
			</div>
			{!atEnd && items.length > 0 && (
				<Button
					className="absolute bottom-3 left-1/2 -translate-x-1/2 bg-surface shadow-lg"
					onClick={() => void follow()}
				>
					↓ {fresh > 0 ? `${fresh} new` : source.isLive ? 'Newest' : 'To the end'}
				</Button>
			)}
		</div>
	);
}
