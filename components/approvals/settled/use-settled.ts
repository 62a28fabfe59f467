import { useCallback, useEffect, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { type Box, createSettling, type WatchedArea } from './settling.ts';

const HASTY_MS = 2500;

/**
 * Whether an area has been still long enough to accept a decision. `key` identifies what is decided there; a new key
 * restarts the wait.
 */
export function useSettled<E extends HTMLElement>(key = '') {
	const element = useRef<E>(null);
	const [settledAs, setSettledAs] = useState<string | null>(null);
	const ref = useCallback(
		(watched: E) => {
			element.current = watched;
			const stop = watchArea(watched, (isSettled) => setSettledAs(isSettled ? key : null));
			return () => {
				stop();
				element.current = null;
				setSettledAs(null);
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
		const may = element.current !== null && isPlaceSettled(element.current);
		setHasty((before) => (may ? 0 : before + 1));
		return may;
	}, []);
	return { ref, isSettled: settledAs === key, mayPress, isHasty: hasty > 0 };
}

/** Shown after a press was ignored because its area had just appeared or moved. */
export const HASTY: Plain = 'moved: press again';

const settling = createSettling({
	now: () => performance.now(),
	after(ms, run) {
		const timer = setTimeout(run, ms);
		return () => clearTimeout(timer);
	},
});

const places = new Map<HTMLElement, WatchedArea>();
/** Last known size of each scroll container. If it changes, content moves without the reader scrolling. */
const sizes = new WeakMap<Element, string>();
let isChanged = false;

function checkArea(): void {
	isChanged = false;
	settling.look();
}

const resized = typeof ResizeObserver === 'undefined' ? null : new ResizeObserver(checkArea);
const changed =
	typeof MutationObserver === 'undefined'
		? null
		: new MutationObserver(() => {
				if (isChanged) return;
				isChanged = true;
				requestAnimationFrame(checkArea);
			});

function onScroll({ target }: Event): void {
	const scroller = target instanceof Element ? target : document.documentElement;
	const size = `${scroller.scrollHeight} ${scroller.clientHeight}`;
	const before = sizes.get(scroller) ?? size;
	sizes.set(scroller, size);
	if (isChanged || size !== before) checkArea();
	else settling.follow();
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
	if (places.size === 0) {
		document.addEventListener('scroll', onScroll, { capture: true, passive: true });
		changed?.observe(document.body, { childList: true, subtree: true });
	}
	const watched = settling.watch({ box: () => boxOf(element), onChange });
	places.set(element, watched);
	const path = [...around(element)];
	for (const each of path) {
		resized?.observe(each);
		if (each.scrollHeight > each.clientHeight) sizes.set(each, `${each.scrollHeight} ${each.clientHeight}`);
	}
	return () => {
		watched.stop();
		places.delete(element);
		const left = [...places.keys()];
		for (const each of path) if (!left.some((other) => each.contains(other))) resized?.unobserve(each);
		if (left.length > 0) return;
		changed?.disconnect();
		document.removeEventListener('scroll', onScroll, { capture: true });
	};
}

const isPlaceSettled = (element: HTMLElement): boolean => places.get(element)?.isSettled() ?? false;

/** Restarts the wait of areas at an element that got the focus without the reader's action. */
export function unsettleAt(element: Element): void {
	for (const [box, watched] of places) if (element.contains(box) || box.contains(element)) watched.unsettle();
}
