import { useMemo, useRef } from 'react';
import { noteOf } from '#lib/approvals/call-words.ts';
import type { Note } from '#lib/contract/sessions/notes.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { edgesOf, type KeyedList } from '#lib/timeline/list-edges.ts';
import {
	callOfItem,
	isFiltering,
	type StoryFilter,
	type StoryItem,
	type StoryReading,
	showsRow,
	storyItems,
} from '#lib/timeline/story.ts';
import { useNarrow } from '../../ui/use-narrow.ts';

const LINE = { wide: 28, narrow: 44 };
const NOTE = 20;
/** Of a change that is open: of its lines, of what stands around them, and of lines that stayed the same. */
const CHANGE = { line: 18, around: 20, same: 3, most: 16 };
/** Px above the row that a story begins at. */
export const LEAD = 6 * LINE.wide;

/** The story's lines with their places. */
interface StoryItems extends KeyedList {
	/** Rows that the filter lets through. */
	shown: number;
	items: readonly StoryItem[];
}

/** The loaded rows as the story shows them; filtered ones stand row by row. A line keeps its identity while it says the same. */
export function useStoryItems(
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
		const items = storyItems(shown, read, toggled, earlier.current);
		earlier.current = items;
		const edges = edgesOf(items.length, (at) => itemHeight(items[at], isNarrow));
		return { shown: shown.length, items, edges, keyAt: (at) => items[at]?.key };
	}, [shown, read, toggled, isNarrow]);
}

/** The height (px) of an item; known beforehand, so that nothing has to be measured. */
function itemHeight(item: StoryItem | undefined, isNarrow: boolean): number {
	const line = isNarrow ? LINE.narrow : LINE.wide;
	const call = item && callOfItem(item);
	if (!item || !call) return line;
	const change = item.kind === 'row' && item.open && call.edit ? changeHeight(call.edit) : 0;
	return line + (noteOf(call) ? NOTE : 0) + change;
}

/** Of an edit's change below its line (px): long ones scroll in it. */
function changeHeight({ added, removed }: { added: number; removed: number }): number {
	return CHANGE.around + CHANGE.line * Math.min(CHANGE.most, added + removed + CHANGE.same);
}
