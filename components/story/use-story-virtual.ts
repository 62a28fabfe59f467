'use client';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { RefObject } from 'react';
import type { StoryItem } from '#lib/timeline/story-items.ts';
import { noteOf } from './call-words.ts';

const LINE = 28;
const NOTE = 20;

/** The height (px) of an item; known beforehand, so that nothing has to be measured. */
export function itemHeight(item: StoryItem | undefined): number {
	if (item?.kind !== 'row' || !item.row.call) return LINE;
	return noteOf(item.row.call) ? LINE + NOTE : LINE;
}

/** The window of items to draw; sticks to the end while the reader is there and keeps the place when older rows come. */
export function useStoryVirtual(items: readonly StoryItem[], scrollRef: RefObject<HTMLDivElement | null>) {
	return useVirtualizer({
		count: items.length,
		getScrollElement: () => scrollRef.current,
		estimateSize: (at) => itemHeight(items[at]),
		getItemKey: (at) => items[at]?.key ?? at,
		overscan: 12,
		anchorTo: 'end',
		followOnAppend: true,
		scrollEndThreshold: 40,
	});
}
