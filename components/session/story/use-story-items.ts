import { useMemo, useState } from 'react';
import type { Note } from '#lib/contract/sessions/notes.ts';
import type { Row } from '#lib/session/row.ts';
import { edgesOf, type KeyedList } from '#lib/timeline/list-edges.ts';
import { type StoryFilter, showsRow } from '#lib/timeline/story-filter.ts';
import { type EarlierItems, type StoryItem, storyItems } from '#lib/timeline/story-items.ts';
import { noteOf } from '../../row/call-words.ts';
import { useNarrow } from '../../ui/use-narrow.ts';

const LINE = { wide: 28, narrow: 44 };
const NOTE = 20;

/** Px above the row that a story begins at. */
export const LEAD = 6 * LINE.wide;

/** The story's lines with their places. */
export interface StoryItems extends KeyedList {
	/** Rows that the filter lets through. */
	shown: number;
	items: readonly StoryItem[];
}

/** The loaded rows as the story shows them. A line keeps its identity while its rows are unchanged. */
export function useStoryItems(
	rows: readonly Row[],
	filter: StoryFilter,
	open: ReadonlySet<string>,
	noted: ReadonlyMap<string, readonly Note[]>,
): StoryItems {
	const isNarrow = useNarrow();
	const [fold] = useState(itemsOverTime);
	const shown = useMemo(() => {
		const { label = null } = filter;
		const hasLabel = ({ key }: Row) => noted.get(key)?.some(({ labels }) => label !== null && labels.includes(label));
		return rows.filter((row) => showsRow(row, filter) && (label === null || hasLabel(row)));
	}, [rows, filter, noted]);
	return useMemo(() => {
		const items = fold(shown, open);
		const edges = edgesOf(items.length, (at) => itemHeight(items[at], isNarrow));
		return { shown: shown.length, items, edges, keyAt: (at) => items[at]?.key };
	}, [fold, shown, open, isNarrow]);
}

function itemsOverTime(): (rows: readonly Row[], open: ReadonlySet<string>) => readonly StoryItem[] {
	let earlier: EarlierItems | undefined;
	return (rows, open) => {
		const items = storyItems(rows, open, earlier);
		earlier = { rows, open, items };
		return items;
	};
}

/** The height (px) of an item; known beforehand, so that nothing has to be measured. */
function itemHeight(item: StoryItem | undefined, isNarrow: boolean): number {
	const line = isNarrow ? LINE.narrow : LINE.wide;
	if (item?.kind !== 'row' || !item.row.call) return line;
	return noteOf(item.row.call) ? line + NOTE : line;
}
