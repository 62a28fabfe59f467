import { useCallback, useEffect, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { type Box, createStillness, type WatchedArea } from './stillness.ts';

const HASTY_MS = 2500;

/** Whether an area has been still long enough to decide in. A new `key` (what is decided there) restarts the wait. */
export function useStillness<E extends HTMLElement>(key = '') {
	const element = useRef<E>(null);
	const [stillKey, setStillKey] = useState<string | null>(null);
	const ref = useCallback(
		(watched: E) => {
			element.current = watched;
			const stop = watchArea(watched, (isStill) => setStillKey(isStill ? key : null));
			return () => {
				stop();
				element.current = null;
				setStillKey(null);
			};
		},
		[key],
	);
	const [hasty, setHasty] = useState(0);
	useEffect(() => {
		if (hasty === 0) return;
		const timer = setTimeout(() => setHasty(0), HASTY_MS);
		return () => clearTimeout(timer);
	}, [hasty]);
	const mayPress = useCallback(() => {
		const may = element.current !== null && isAreaStill(element.current);
		setHasty((before) => (may ? 0 : before + 1));
		return may;
	}, []);
	return { ref, isStill: stillKey === key, mayPress, isHasty: hasty > 0 };
}

/** Shown after a press was ignored because its area had just appeared or moved. */
export const HASTY: Plain = 'moved: press again';

const stillness = createStillness({
	now: () => performance.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
});

const areas = new Map<HTMLElement, WatchedArea>();
/** Last known size of each scroll container. If it changes, content moves without the reader scrolling. */
const sizes = new WeakMap<Element, string>();
let isChanged = false;

function checkAreas(): void {
	isChanged = false;
	stillness.checkAreas();
}

const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(checkAreas);
const changed =
	typeof MutationObserver === 'undefined'
		? null
		: new MutationObserver(() => {
				if (isChanged) return;
				isChanged = true;
				requestAnimationFrame(checkAreas);
			});

function onScroll({ target }: Event): void {
	const scroller = target instanceof Element ? target : document.documentElement;
	const size = `${scroller.scrollHeight} ${scroller.clientHeight}`;
	const before = sizes.get(scroller) ?? size;
	sizes.set(scroller, size);
	if (isChanged || size !== before) checkAreas();
	else stillness.acceptScroll();
}

/** The area and its ancestors. A size change of one of them can move the area. */
function* around(element: Element): Iterable<Element> {
	for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) yield at;
}

/** Measures the scroll offsets directly, because a press may arrive before the scroll event that led to it. */
function boxOf(element: Element): Box {
	const { left, top, width, height } = element.getBoundingClientRect();
	const path = [...around(element), document.documentElement];
	const sum = (side: 'scrollLeft' | 'scrollTop') => path.reduce((whole, each) => whole + each[side], 0);
	return { left, top, width, height, scrolledX: sum('scrollLeft'), scrolledY: sum('scrollTop') };
}

function watchArea(element: HTMLElement, onChange: (isSettled: boolean) => void): () => void {
	if (areas.size === 0) {
		document.addEventListener('scroll', onScroll, { capture: true, passive: true });
		changed?.observe(document.body, { childList: true, subtree: true });
	}
	const watched = stillness.watch({ box: () => boxOf(element), onChange });
	areas.set(element, watched);
	const path = [...around(element)];
	for (const each of path) {
		resized?.observe(each);
		if (each.scrollHeight > each.clientHeight) sizes.set(each, `${each.scrollHeight} ${each.clientHeight}`);
	}
	return () => {
		watched.stop();
		areas.delete(element);
		const left = [...areas.keys()];
		for (const each of path) if (!left.some((other) => each.contains(other))) resized?.unobserve(each);
		if (left.length > 0) return;
		changed?.disconnect();
		document.removeEventListener('scroll', onScroll, { capture: true });
	};
}

const isAreaStill = (element: HTMLElement): boolean => areas.get(element)?.isStill() ?? false;

/** Restarts the wait of areas at an element that got the focus without the reader's action. */
export function restartAt(element: Element): void {
	for (const [box, watched] of areas) if (element.contains(box) || box.contains(element)) watched.restart();
}
