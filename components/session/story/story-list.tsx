import dynamic from 'next/dynamic';
import {
	type KeyboardEvent,
	type MouseEvent,
	memo,
	useCallback,
	useEffect,
	useEffectEvent,
	useMemo,
	useRef,
	useState,
} from 'react';
import { noteOf } from '#lib/approvals/call-words.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { UsagePart } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Note } from '#lib/contract/sessions/session-actions.ts';
import type { Say } from '#lib/messages/say.ts';
import { rowIn, SEARCH_ROWS } from '#lib/session/session-state.ts';
import { visibleString } from '#lib/text/visible-text.ts';
import { edgesOf, type KeyedList, lastEdge } from '#lib/timeline/list-edges.ts';
import { noteLine, notesOfRows } from '#lib/timeline/note-marks.ts';
import {
	callOfItem,
	isFiltering,
	isOpenable,
	rowOfItem,
	rowsOfItem,
	type StoryFilter,
	type StoryItem,
	type StoryReading,
	showsRow,
	storyItems,
} from '#lib/timeline/story.ts';
import { busySpans, type TimeScale, timeScale } from '#lib/timeline/time-scale.ts';
import { costOfAll } from '#lib/usage/usage-totals.ts';
import { useSay } from '../../language/use-say.ts';
import { useAtMostEvery } from '../../live/now.ts';
import { loadRange, loadTail, useSession, useSessionSource } from '../../live/session-source.ts';
import { useActorName } from '../../row/row-hooks.ts';
import { useSessionParams } from '../../row/search-params.ts';
import { Button } from '../../ui/button.tsx';
import { cn } from '../../ui/cn.ts';
import { useShortcut } from '../../ui/keys/use-shortcut.ts';
import { AgentText } from '../../ui/text/agent-text.tsx';
import { useNarrow } from '../../ui/use-size.ts';
import { useStretch } from '../../ui/use-stretch.ts';
import { useNotes } from '../notes/notes-context.ts';
import { isSpoken, StoryLine, spanOfItem } from './story-line.tsx';

const OpenChange = dynamic(() => import('./open-change.tsx').then((module) => module.OpenChange));

/** Distance (px) to an edge of the loaded rows within which more rows are loaded. */
const FETCH_WITHIN = 600;
/** This many rows fill any screen. With fewer matches, older rows are loaded and searched, up to SEARCH_ROWS. */
const FILLS = 60;

const NO_ROWS: readonly Row[] = [];

interface StoryListProps {
	sessionId: string;
	filter: StoryFilter;
	selected: string | null;
	reading: StoryReading;
	active: string | null;
	onChoose: (key: string) => void;
}

/** The lines of the story. Renders at every batch of events, so keep anything that does not change in other components. */
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
	const axis = useAxis(items);
	const marks = useMemo(() => stageMarks(items, say), [items, say]);
	const usage = useSession(sessionId, ({ view }) => view?.usage?.agents);
	const costOf = useMemo(() => costByAgent(usage ?? []), [usage]);
	const hasActors = reading === 'flat' || isFiltering(filter);
	// An ended session is read from its prompt on, if all of it is loaded.
	const isOver = useSession(sessionId, ({ view }) => (view?.ended ?? view?.lost) !== undefined) ?? false;
	const isReadAsPast = isOver && window?.hasOlder === false;
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
		start: () => offsetOf(items, list.edges, selected) ?? (source.readsFrom === 'start' || isReadAsPast ? 0 : null),
	});
	const { from, to, scrollToEnd } = stretch;
	// biome-ignore lint/correctness/useExhaustiveDependencies: load more if the new lines end near the visible area.
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

	/** Right opens a line, then moves into it. Left closes it, then moves to its parent. */
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
			{/* An opaque background lets the browser scroll painted content, and contained rows limit repainting to new ones. */}
			<div ref={scrollRef} className="min-h-0 flex-1 overflow-y-auto bg-surface [overflow-anchor:none]">
				<ul
					aria-label={say('Story')}
					className="relative print:h-auto!"
					style={{ height: lastEdge(list.edges) }}
					onKeyDown={onKeyDown}
				>
					{drawn.map((item, offset) => {
						const at = from + offset;
						const top = list.edges[at] ?? 0;
						return (
							// biome-ignore lint/a11y/useAriaPropsSupportedByRole: list items support aria-level (ARIA 1.2).
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
									cost={usage ? (item.kind === 'branch' && costOf(item.allAgentIds)) || '' : undefined}
									folder={folder}
									mark={marks.get(item.key)}
									axis={selected === null ? axis : null}
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
			</div>
			{items.length > 0 && (
				<FollowButton atEnd={window?.atTail === true && stretch.atEnd} sessionId={sessionId} onFollow={follow} />
			)}
		</>
	);
}

/** Initial scroll position (px): slightly above the selected row if it is loaded, else null. */
function offsetOf(items: readonly StoryItem[], edges: Float64Array, key: string | null): number | null {
	const at = key === null ? -1 : items.findIndex((item) => rowsOfItem(item).some((row) => row.key === key));
	return at === -1 ? null : Math.max(0, (edges[at] ?? 0) - LEAD);
}

function costByAgent(parts: readonly UsagePart[]): (agentIds: readonly string[]) => string | undefined {
	const known = new Map(parts.flatMap((part) => (part.others ? [] : [[part.name, part] as const])));
	return (agentIds) => {
		const own = agentIds.flatMap((id) => known.get(id) ?? []);
		const sum = (of: 'answers' | 'unpriced' | 'costUsd') => own.reduce((all, part) => all + part[of], 0);
		if (own.length === 0) return undefined;
		return costOfAll({ answers: sum('answers'), unpriced: sum('unpriced'), costUsd: sum('costUsd') }) ?? undefined;
	};
}

/** Which run of its stage a line is, and whether it overlaps a neighbour, in words by key. */
function stageMarks(items: readonly StoryItem[], say: Say): ReadonlyMap<string, string> {
	const counts = new Map<string, number>();
	const runs = items.flatMap((item) => {
		if (item.kind !== 'branch' || item.stage === undefined) return [];
		const nth = (counts.get(item.stage) ?? 0) + 1;
		counts.set(item.stage, nth);
		return [{ key: item.key, nth, ...spanOfItem(item) }];
	});
	const isOver = (at: number) =>
		(runs[at]?.to ?? Number.POSITIVE_INFINITY) <= (runs[at + 1]?.from ?? Number.POSITIVE_INFINITY);
	return new Map(
		runs.map(({ key, nth }, at) => [
			key,
			[nth > 1 && say('run {nth}', { nth }), (!isOver(at) || (at > 0 && !isOver(at - 1))) && say('in parallel')]
				.filter(Boolean)
				.join(' · '),
		]),
	);
}

const between = (one: string, other: string) => (one < other ? { from: one, to: other } : { from: other, to: one });

function toggle(open: ReadonlySet<string>, key: string): ReadonlySet<string> {
	const next = new Set(open);
	if (!next.delete(key)) next.add(key);
	return next;
}

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

interface FollowButtonProps {
	sessionId: string;
	atEnd: boolean;
	onFollow: () => Promise<void>;
}

/** Shown away from the end of the story: the number of new rows, and a button to the end. */
const FollowButton = memo(function FollowButton({ sessionId, atEnd, onFollow }: FollowButtonProps) {
	const say = useSay();
	const { store, isLive } = useSessionSource();
	/** Number of arrived rows when the reader left the end; null at the end. */
	const [left, setLeft] = useState<number | null>(null);
	useShortcut('follow', () => void onFollow());
	useEffect(() => setLeft(atEnd ? null : (store.getState().session?.arrived ?? 0)), [atEnd, store]);
	if (atEnd) return null;
	return (
		<Button className="absolute right-5 bottom-3 bg-surface shadow-lg" onClick={() => void onFollow()}>
			↓ <NewRows sessionId={sessionId} since={left} otherwise={isLive ? say('Newest') : say('To the end')} />
		</Button>
	);
});

function NewRows({ sessionId, since, otherwise }: { sessionId: string; since: number | null; otherwise: string }) {
	const say = useSay();
	const fresh = useSession(sessionId, ({ arrived }) => (since === null ? 0 : arrived - since)) ?? 0;
	return fresh > 0 ? say('{count} new', { count: fresh }) : otherwise;
}

/** Minimum interval (ms) between changes of the time axis, because each draws all lines again. */
const AXIS_MS = 5_000;

/** The time axis of the lines in %, without idle time. */
function useAxis(items: readonly StoryItem[]): TimeScale {
	const settled = useAtMostEvery(items, AXIS_MS);
	const all = settled.length === 0 ? items : settled;
	return useMemo(() => {
		const spans = all.flatMap((item) => spanOfItem(item) ?? []);
		return timeScale(busySpans(spans.map(({ from, to = from }) => ({ from, to }))), 100, 1);
	}, [all]);
}

const LINE = { wide: 28, narrow: 44 };
const NOTE = 20;
/** Layout of an open change: line height and padding (px), number of unchanged lines, and maximum number of lines. */
const CHANGE = { line: 18, around: 20, same: 3, most: 16 };
const LEAD = 6 * LINE.wide;

/** Without what the tree shows already: parallel groups, which are its stages, and a plan that still reads the same. */
function withoutRepeats(rows: readonly Row[]): Row[] {
	let plan = '';
	return rows.filter(({ type, title }) => {
		const isRepeated = type.startsWith('parallel:') || (type === 'routing:plan' && title === plan);
		if (type === 'routing:plan') plan = title;
		return !isRepeated;
	});
}

interface StoryItems extends KeyedList {
	shown: number;
	items: readonly StoryItem[];
}

/** The loaded rows as story items. Filtered stories are flat. Unchanged items keep their identity. */
function useStoryItems(
	rows: readonly Row[],
	filter: StoryFilter,
	reading: StoryReading,
	toggled: ReadonlySet<string>,
	noted: ReadonlyMap<string, readonly Note[]>,
): StoryItems {
	const isNarrow = useNarrow();
	const earlier = useRef<readonly StoryItem[]>([]);
	const shown = useMemo(() => {
		const { label = null } = filter;
		const hasLabel = ({ key }: Row) => noted.get(key)?.some(({ labels }) => label !== null && labels.includes(label));
		return rows.filter((row) => showsRow(row, filter) && (label === null || hasLabel(row)));
	}, [rows, filter, noted]);
	const read = isFiltering(filter) ? 'flat' : reading;
	return useMemo(() => {
		const inTree = read === 'tree' ? withoutRepeats(shown) : shown;
		const items = storyItems(inTree, read, toggled, earlier.current);
		earlier.current = items;
		const edges = edgesOf(items.length, (at) => itemHeight(items[at], isNarrow));
		return { shown: shown.length, items, edges, keyAt: (at) => items[at]?.key };
	}, [shown, read, toggled, isNarrow]);
}

/** Height (px) of an item, computed so that nothing has to be measured. */
function itemHeight(item: StoryItem | undefined, isNarrow: boolean): number {
	const line = isNarrow ? LINE.narrow : LINE.wide;
	const call = item && callOfItem(item);
	if (!item || !call) return line;
	const change = item.kind === 'row' && item.open && call.edit ? changeHeight(call.edit) : 0;
	return line + (noteOf(call) ? NOTE : 0) + change;
}

function changeHeight({ added, removed }: { added: number; removed: number }): number {
	return CHANGE.around + CHANGE.line * Math.min(CHANGE.most, added + removed + CHANGE.same);
}

interface StoryItemButtonProps {
	item: StoryItem;
	/** The actor, if the surrounding lines do not name it. */
	actor: string;
	cost: string | undefined;
	folder: string | null;
	mark?: string | undefined;
	axis: TimeScale | null;
	isSelected: boolean;
	isTabStop: boolean;
	note?: string | undefined;
	/** Called when the line is selected. `isUpTo`: as the end of a range (with Shift). */
	onChoose: (item: StoryItem, isUpTo: boolean) => void;
	onToggle: (key: string) => void;
}

/** A selectable line of the story. Memoized, because a busy session renders its story forty times a second. */
const StoryItemButton = memo(function StoryItemButton(props: StoryItemButtonProps) {
	const { item, actor, cost, folder, mark, axis, isSelected, isTabStop, note, onChoose, onToggle } = props;
	const say = useSay();
	function onClick(event: MouseEvent) {
		const isToggle = event.target instanceof Element && event.target.closest('[data-toggle]') !== null;
		if (item.kind === 'fold' || isToggle) onToggle(item.key);
		else onChoose(item, event.shiftKey);
	}
	return (
		<button
			type="button"
			data-row={item.kind === 'fold' ? item.key : (rowOfItem(item)?.key ?? item.key)}
			data-item={item.key}
			tabIndex={isTabStop ? 0 : -1}
			aria-expanded={isOpenable(item) ? item.open : undefined}
			aria-current={isSelected || undefined}
			onClick={onClick}
			className={cn(
				// On very wide screens, move the result closer to the text.
				'flex w-full shrink-0 px-4 text-left hover:bg-hover min-[2000px]:pr-[15vw]',
				item.kind === 'row' && item.row.type === 'prompt:submit' && isSpoken(item.row) && 'bg-raised',
				isSelected && 'bg-selected hover:bg-selected',
			)}
		>
			<StoryLine item={item} actor={actor} cost={cost} folder={folder} mark={mark} axis={axis} />
			{note !== undefined && (
				<span
					title={visibleString(note)}
					className="ml-2 max-w-32 shrink-0 self-center truncate text-accent text-small"
				>
					<span aria-hidden>✎ </span>
					<span className="sr-only">{say('Note')}: </span>
					<AgentText>{note}</AgentText>
				</span>
			)}
		</button>
	);
});
