'use client';
import dynamic from 'next/dynamic';
import { type KeyboardEvent, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { UsagePart } from '#lib/contract/sessions/read-model/session-view.ts';
import { endOf } from '#lib/timeline/list-edges.ts';
import { noteLine, notesOfRows } from '#lib/timeline/note-marks.ts';
import { rowIn, SEARCH_ROWS } from '#lib/timeline/row-window.ts';
import {
	isFiltering,
	isOpenable,
	rowOfItem,
	rowsOfItem,
	type StoryFilter,
	type StoryItem,
	type StoryReading,
} from '#lib/timeline/story.ts';
import { costOfAll } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { loadRange, loadTail } from '../../live/load-range.ts';
import { useSession, useSessionSource } from '../../live/session-source.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { useActorName } from '../../row/use-actor-name.ts';
import { Button } from '../../ui/button.tsx';
import { useStretch } from '../../ui/use-stretch.ts';
import { useNotes } from '../notes/notes-context.ts';
import { FollowButton } from './follow-button.tsx';
import { StoryItemButton } from './story-item-button.tsx';
import { LEAD, useStoryItems } from './use-story-items.ts';

const OpenChange = dynamic(() => import('./open-change.tsx').then((module) => module.OpenChange));

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
	reading: StoryReading;
	/** Key of the line that had the focus last. */
	active: string | null;
	/** Hears the key of a row. */
	onChoose: (key: string) => void;
}

/** The lines of the story. Drawn at every batch of events, so what does not change with each stands elsewhere. */
export function StoryList({ sessionId, filter, reading, selected, active, onChoose }: StoryListProps) {
	const say = useSay();
	const source = useSessionSource();
	const window = useSession(sessionId, (session) => session.window);
	const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
	const nameOf = useActorName(sessionId);
	const folder = useSession(sessionId, ({ view }) => view?.cwd ?? null);
	const scrollRef = useRef<HTMLDivElement>(null);
	const rows = window?.rows ?? NO_ROWS;
	const { notes, open: openNotes, mayAdd } = useNotes();
	const noted = useMemo(() => notesOfRows(rows, notes), [rows, notes]);
	const { items, shown, ...list } = useStoryItems(rows, filter, reading, toggled, noted);
	const usage = useSession(sessionId, ({ view }) => view?.usage?.agents);
	const costOf = useMemo(() => costByAgent(usage ?? []), [usage]);
	const hasActors = reading === 'flat' || isFiltering(filter);
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
	const onToggle = useCallback((key: string) => setToggled((before) => toggle(before, key)), []);
	const choose = useCallback(
		(item: StoryItem, isUpTo: boolean) => {
			const { rows: loaded, selected: key } = chosen.current;
			const other = isUpTo && mayAdd && key !== null ? rowIn(loaded, key) : undefined;
			const row = rowOfItem(item);
			if (other && row) openNotes(between(other.at, row.at));
			else if (row) onChoose(row.key);
		},
		[onChoose, openNotes, mayAdd],
	);

	const drawn = items.slice(from, to);
	const keyOf = (item: StoryItem) => (item.kind === 'fold' ? item.key : (rowOfItem(item)?.key ?? item.key));
	const tabStop = drawn.find((item) => keyOf(item) === active)?.key ?? drawn.at(-1)?.key;

	/** Right opens a line, then goes into it; left closes it, then goes to the one that it is in. */
	function onKeyDown(event: KeyboardEvent) {
		if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof HTMLElement)) return;
		const at = items.findIndex(({ key }) => key === (event.target as HTMLElement).dataset.item);
		const item = items[at];
		const isRight = event.key === 'ArrowRight';
		if (!item || (!isRight && event.key !== 'ArrowLeft')) return;
		event.preventDefault();
		if (isOpenable(item) && item.open !== isRight) return onToggle(item.key);
		const next = isRight ? items[at + 1] : items.slice(0, at).findLast(({ depth }) => depth < item.depth);
		if (next && (!isRight || next.depth > item.depth))
			scrollRef.current?.querySelector<HTMLElement>(`[data-item="${CSS.escape(next.key)}"]`)?.focus();
	}
	const isSearched = isFiltering(filter) && isShort && window?.hasOlder === true && !isSearching;
	return (
		<>
			{items.length === 0 && <StoryEmpty filtering={isFiltering(filter)} more={window?.hasOlder === true} />}
			{isSearched && (
				<div className="flex items-center gap-3 border-line border-b px-4 py-1 text-muted">
					{say('{rows} rows were searched.', { rows: rows.length })}
					<Button size="small" onClick={() => void loadRange(source, 'older')}>
						{say('Search older')}
					</Button>
				</div>
			)}
			{/* With a ground of its own a scroll moves what is painted, and with rows that contain all of theirs only new ones are. */}
			<div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto bg-surface [overflow-anchor:none]">
				<ul
					aria-label={say('Story')}
					className="relative print:h-auto!"
					style={{ height: endOf(list.edges) }}
					onKeyDown={onKeyDown}
				>
					{drawn.map((item, offset) => {
						const at = from + offset;
						const top = list.edges[at] ?? 0;
						return (
							// biome-ignore lint/a11y/useAriaPropsSupportedByRole: an item of a list has a level (ARIA 1.2).
							<li
								key={item.key}
								aria-level={item.depth + 1}
								aria-setsize={window?.hasOlder ? -1 : items.length}
								aria-posinset={at + 1}
								className="contain-strict absolute inset-x-0 flex flex-col border-line/60 border-b print:static"
								style={{ top, height: (list.edges[at + 1] ?? top) - top }}
							>
								<StoryItemButton
									item={item}
									actor={hasActors ? nameOf(rowsOfItem(item)[0]?.agentId) : ''}
									cost={item.kind === 'branch' ? costOf(item.allAgentIds) : undefined}
									folder={folder}
									note={
										rowsOfItem(item)
											.flatMap(({ key }) => noted.get(key) ?? [])
											.map(noteLine)
											.join(' · ') || undefined
									}
									isSelected={
										rowsOfItem(item).some(({ key }) => key === selected) && (item.kind !== 'fold' || !item.open)
									}
									isTabStop={item.key === tabStop}
									onChoose={choose}
									onToggle={onToggle}
								/>
								{item.kind === 'row' && item.open && item.row.call?.edit && (
									<OpenChange sessionId={sessionId} row={item.row} />
								)}
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
	const at = key === null ? -1 : items.findIndex((item) => rowsOfItem(item).some((row) => row.key === key));
	return at === -1 ? null : Math.max(0, (edges[at] ?? 0) - LEAD);
}

/** Says what agents took together, in words. */
function costByAgent(parts: readonly UsagePart[]): (agentIds: readonly string[]) => string | undefined {
	const known = new Map(parts.flatMap((part) => (part.others ? [] : [[part.name, part] as const])));
	return (agentIds) => {
		const own = agentIds.flatMap((id) => known.get(id) ?? []);
		const sum = (of: 'answers' | 'unpriced' | 'costUsd') => own.reduce((all, part) => all + part[of], 0);
		if (own.length === 0) return undefined;
		return costOfAll({ answers: sum('answers'), unpriced: sum('unpriced'), costUsd: sum('costUsd') }) ?? undefined;
	};
}

/** From the earlier of two instants to the later. */
const between = (one: string, other: string) => (one < other ? { from: one, to: other } : { from: other, to: one });

function toggle(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(open);
	if (!next.delete(key)) next.add(key);
	return next;
}

/** Why the story is empty: nothing yet, or nothing fits the filters. */
function StoryEmpty({ filtering, more }: { filtering: boolean; more: boolean }) {
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
