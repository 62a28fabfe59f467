'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { useNarrow } from '../ui/use-narrow.ts';
import { noteOf } from './call-words.ts';

const LINE = { wide: 28, narrow: 44 };
const NOTE = 20;

/** The height (px) of an item; known beforehand, so that nothing has to be measured. */
function itemHeight(item: StoryItem | undefined, isNarrow: boolean): number {
	const line = isNarrow ? LINE.narrow : LINE.wide;
	if (item?.kind !== 'row' || !item.row.call) return line;
	return noteOf(item.row.call) ? line + NOTE : line;
}

/** The window of items to draw; sticks to the end while the reader is there and keeps the place when older rows come. */
export function useStoryVirtual(
	items: readonly StoryItem[],
	scrollRef: RefObject<HTMLDivElement | null>,
	/** Key of the row to begin at; it may not be loaded. */
	first: string | null,
	/** Where it begins otherwise: at its start it stays, at its end it follows what comes. */
	readsFrom: 'start' | 'end',
) {
	const isNarrow = useNarrow();
	const heightOf = (item: StoryItem | undefined) => itemHeight(item, isNarrow);
	return useVirtualizer({
		count: items.length,
		getScrollElement: () => scrollRef.current,
		estimateSize: (at) => heightOf(items[at]),
		getItemKey: (at) => items[at]?.key ?? at,
		overscan: 12,
		initialOffset: () => startOffset(items, first, readsFrom, heightOf),
		anchorTo: 'end',
		followOnAppend: readsFrom === 'end',
		scrollEndThreshold: 40,
	});
}

/** Enough to be beyond any end; the element clamps it. */
const END = 1e9;
const LEAD = 6 * LINE.wide;

function startOffset(
	items: readonly StoryItem[],
	first: string | null,
	readsFrom: 'start' | 'end',
	heightOf: (item: StoryItem) => number,
): number {
	const at = first === null ? -1 : items.findIndex(({ key }) => key === first);
	if (at === -1) return readsFrom === 'start' ? 0 : END;
	return Math.max(0, items.slice(0, at).reduce((sum, item) => sum + heightOf(item), 0) - LEAD);
}
