'use client';
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Row } from '#lib/session/row.ts';
import { endOf } from '#lib/timeline/list-edges.ts';
import { noteLine, notesOfRows } from '#lib/timeline/note-marks.ts';
import { rowIn, SEARCH_ROWS } from '#lib/timeline/row-window.ts';
import { isFiltering, type StoryFilter } from '#lib/timeline/story-filter.ts';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { useSay } from '../../language/use-say.ts';
import { loadRange, loadTail } from '../../live/load-range.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useActorName } from '../../row/use-actor-name.ts';
import { useStretch } from '../../ui/use-stretch.ts';
import { useNotes } from '../notes/notes-context.ts';
import { FollowButton } from './follow-button.tsx';
import { SearchOlder } from './search-older.tsx';
import { StoryEmpty } from './story-empty.tsx';
import { StoryItemButton } from './story-item-button.tsx';
import { LEAD, useStoryItems } from './use-story-items.ts';

/** Rows this close (px) to an edge of the loaded stretch fetch the next range. */
const FETCH_WITHIN = 600;
/** So many rows fill any screen; with fewer, older ones are searched as far as memory allows. */
const FILLS = 60;

const NO_ROWS: readonly Row[] = [];

interface StoryListProps {
	sessionId: string;
	filter: StoryFilter;
	/** Key of the row in the detail pane; the list begins there. */
	selected: string | null;
	/** Key of the line that had the focus last. */
	active: string | null;
	/** Hears the key of a row. */
	onChoose: (key: string) => void;
}

/** The lines of the story. Drawn at every batch of events, so what does not change with each stands elsewhere. */
export function StoryList({ sessionId, filter, selected, active, onChoose }: StoryListProps) {
	const say = useSay();
	const source = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
	const nameOf = useActorName(sessionId);
	const folder = useSession(sessionId, ({ view }) => view?.cwd ?? null);
	const scrollRef = useRef<HTMLDivElement>(null);
	const rows = window?.rows ?? NO_ROWS;
	const { notes, open: openNotes, mayAdd } = useNotes();
	const noted = useMemo(() => notesOfRows(rows, notes), [rows, notes]);
	const { items, shown, ...list } = useStoryItems(rows, filter, open, noted);
	const isShort = shown < FILLS;
	const isSearching = isShort && rows.length < SEARCH_ROWS;

	const fetchMore = useEffectEvent(() => {
		const distances = stretch.distances();
		if (!window || !distances) return;
		if (window.hasOlder && (isShort ? isSearching : distances.above < FETCH_WITHIN)) void loadRange(source, 'older');
		else if (!window.atTail && distances.below < FETCH_WITHIN) void loadRange(source, 'newer');
	});
	const stretch = useStretch({
		...list,
		scrollRef,
		mayFollow: window?.atTail === true && source.readsFrom === 'end',
		onMove: fetchMore,
		start: () => placeOf(items, list.edges, selected) ?? (source.readsFrom === 'start' ? 0 : null),
	});
	const { from, to, scrollToEnd } = stretch;
	// biome-ignore lint/correctness/useExhaustiveDependencies: other lines may end within reach.
	useEffect(fetchMore, [list.edges, isSearching]);

	const follow = useCallback(async () => {
		await loadTail(source);
		scrollToEnd();
	}, [source, scrollToEnd]);
	const chosen = useRef({ rows, selected });
	chosen.current = { rows, selected };
	const choose = useCallback(
		(item: StoryItem, isUpTo: boolean) => {
			const { rows: loaded, selected: key } = chosen.current;
			const other = isUpTo && mayAdd && key !== null ? rowIn(loaded, key) : undefined;
			if (item.kind === 'fold') setOpen((before) => toggle(before, item.key));
			else if (other) openNotes(between(other.at, item.row.at));
			else onChoose(item.key);
		},
		[onChoose, openNotes, mayAdd],
	);

	const drawn = items.slice(from, to);
	const tabStop = drawn.some(({ key }) => key === active) ? active : drawn.at(-1)?.key;
	const isSearched = isFiltering(filter) && isShort && window?.hasOlder === true && !isSearching;
	return (
		<>
			{items.length === 0 && <StoryEmpty filtering={isFiltering(filter)} more={window?.hasOlder === true} />}
			{isSearched && <SearchOlder rows={rows.length} />}
			{/* With a ground of its own a scroll moves what is painted, and with rows that contain all of theirs only new ones are. */}
			<div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto bg-surface [overflow-anchor:none]">
				<ul aria-label={say('Story')} className="relative print:h-auto!" style={{ height: endOf(list.edges) }}>
					{drawn.map((item, offset) => {
						const at = from + offset;
						const top = list.edges[at] ?? 0;
						return (
							<li
								key={item.key}
								aria-setsize={window?.hasOlder ? -1 : items.length}
								aria-posinset={at + 1}
								className="contain-strict absolute inset-x-0 border-line/60 border-b print:static"
								style={{ top, height: (list.edges[at + 1] ?? top) - top }}
							>
								<StoryItemButton
									item={item}
									actor={nameOf(item.kind === 'fold' ? item.rows[0]?.agentId : item.row.agentId)}
									folder={folder}
									note={item.kind === 'row' ? noted.get(item.key)?.map(noteLine).join(' · ') : undefined}
									isSelected={item.key === selected}
									isTabStop={item.key === tabStop}
									onChoose={choose}
								/>
							</li>
						);
					})}
				</ul>
				{drawn.length < items.length && (
					<p className="hidden p-4 print:block">
						{say('On paper stand the {drawn} lines that were in view, of {all} that are loaded.', {
							drawn: drawn.length,
							all: items.length,
						})}
					</p>
				)}
			</div>
			{items.length > 0 && (
				<FollowButton atEnd={window?.atTail === true && stretch.atEnd} sessionId={sessionId} onFollow={follow} />
			)}
		</>
	);
}

/** Where the story begins (px): a little above the row, if it is loaded. */
function placeOf(items: readonly StoryItem[], edges: Float64Array, key: string | null): number | null {
	const at = key === null ? -1 : items.findIndex((item) => item.key === key);
	return at === -1 ? null : Math.max(0, (edges[at] ?? 0) - LEAD);
}

/** From the earlier of two instants to the later. */
const between = (one: string, other: string) => (one < other ? { from: one, to: other } : { from: other, to: one });

function toggle(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(open);
	if (!next.delete(key)) next.add(key);
	return next;
}
