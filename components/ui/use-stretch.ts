import { type RefObject, useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { itemsBetween, type KeyedList, lastEdge, shiftAt } from '#lib/timeline/list-edges.ts';

/** Items within this distance (px) outside the visible area are rendered too. */
const BESIDE = 336;
/** Scroll distance (px) between renders. Leaves a margin of BESIDE minus half of it. */
const STEP = 168;
/** The start of the rendered range moves in steps of this many items. */
const STRIDE = 8;
/** Distance (px) to the end within which scrolling down makes the list follow its end. */
const NEAR_END = 40;
/** A touch scroll has ended after this time (ms) without a scroll event. */
const REST_MS = 150;

interface StretchOptions extends KeyedList {
	/** The scroll container. Nothing else in it may take up height. */
	scrollRef: RefObject<HTMLElement | null>;
	/** Whether the list follows new items while the reader is at its end. */
	mayFollow?: boolean;
	/** Initial scroll position (px); null starts at the end. */
	start?: () => number | null;
	/** Called when the reader has scrolled; for touch only at the end, because positions set during a fling are lost. */
	onMove?: () => void;
}

/** The rendered part of a long list. */
export interface Stretch {
	from: number;
	/** Index after the last rendered item. */
	to: number;
	/** The reader is at the end. With `mayFollow`, the list follows new items. */
	atEnd: boolean;
	/** Distances (px) from the visible area to the start and end of the list; null during a touch scroll. */
	distances: () => { above: number; below: number } | null;
	scrollToEnd: () => void;
}

interface Seen {
	/** Rounded to STEP, so that most scroll events do not render. */
	top: number;
	height: number;
	atEnd: boolean;
}

interface Last extends KeyedList {
	top: number;
	/** Scroll position (px) of the last render. */
	drawn: number;
	height: number;
	isFlung: boolean;
}

/**
 * Draws only the visible part of a list with known heights. New items cost one render at the end; elsewhere the position is kept.
 */
export function useStretch({ edges, keyAt, scrollRef, mayFollow = false, start, onMove }: StretchOptions): Stretch {
	const [seen, setSeen] = useState<Seen>(() => {
		const top = start?.() ?? null;
		return { top: steps(top ?? lastEdge(edges)), height: 0, atEnd: top === null };
	});
	const { height } = seen;
	const follows = seen.atEnd && mayFollow;
	const end = lastEdge(edges);
	const top = follows ? Math.max(0, end - height) : seen.top;
	const last = useRef<Last>({ edges, keyAt, top, drawn: top, height: 0, isFlung: false });

	/** Reads the scroll position. Scrolling up leaves the end, however near; scrolling down near the end returns to it. */
	const updatePosition = useEffectEvent((box: HTMLElement) => {
		const before = last.current.top;
		const now = box.scrollTop;
		const left = lastEdge(last.current.edges) - now - last.current.height;
		last.current.top = now;
		const atEnd = left <= 1 || (left <= NEAR_END && (now > before || (now === before && seen.atEnd)));
		const next: Seen = { top: steps(now), height: last.current.height, atEnd };
		const isSame = next.atEnd === seen.atEnd && next.height === height;
		if (!isSame || (next.top !== seen.top && !follows)) setSeen(next);
	});
	const resized = useEffectEvent((box: HTMLElement) => {
		last.current.height = box.clientHeight;
		if (follows) setSeen((before) => ({ ...before, height: last.current.height }));
		else updatePosition(box);
	});
	const moved = useEffectEvent(() => {
		last.current.isFlung = false;
		onMove?.();
	});

	useLayoutEffect(() => {
		const box = scrollRef.current;
		if (!box) return;
		let isTouched = false;
		let scrollEndTimer: ReturnType<typeof setTimeout> | undefined;
		const onScroll = () => {
			// The rendered margin covers the next frames. Further away, render synchronously to avoid an empty edge.
			if (Math.abs(box.scrollTop - last.current.drawn) < BESIDE - STEP / 2) updatePosition(box);
			else flushSync(() => updatePosition(box));
			clearTimeout(scrollEndTimer);
			last.current.isFlung = isTouched;
			if (isTouched) scrollEndTimer = setTimeout(moved, REST_MS);
			else moved();
		};
		const onTouch = () => {
			isTouched = true;
		};
		const onWheel = () => {
			isTouched = false;
		};
		box.addEventListener('scroll', onScroll, { passive: true });
		box.addEventListener('touchstart', onTouch, { passive: true });
		box.addEventListener('wheel', onWheel, { passive: true });
		const observer = new ResizeObserver(() => resized(box));
		observer.observe(box);
		last.current.height = box.clientHeight;
		box.scrollTop = last.current.top;
		updatePosition(box);
		return () => {
			clearTimeout(scrollEndTimer);
			observer.disconnect();
			box.removeEventListener('scroll', onScroll);
			box.removeEventListener('touchstart', onTouch);
			box.removeEventListener('wheel', onWheel);
		};
	}, [scrollRef]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: `height` changes where the end is.
	useLayoutEffect(() => {
		const box = scrollRef.current;
		const before = last.current;
		last.current = { ...before, edges, keyAt, drawn: top };
		if (!box || before.height === 0) return;
		if (follows) {
			last.current.top = Math.max(0, end - before.height);
			box.scrollTop = end;
			return;
		}
		const shift = before.edges === edges ? 0 : shiftAt(before, { edges, keyAt }, before.top);
		if (shift !== 0) {
			box.scrollTop += shift;
			last.current.top = before.top + shift;
		}
		if (before.edges !== edges) updatePosition(box);
	}, [edges, keyAt, end, follows, height, top, scrollRef]);

	const scrollToEnd = useCallback(() => {
		setSeen((before) => ({ ...before, atEnd: true }));
		if (scrollRef.current) scrollRef.current.scrollTop = lastEdge(last.current.edges);
	}, [scrollRef]);
	return {
		...itemsBetween(edges, { top: top - BESIDE, bottom: top + height + BESIDE }, STRIDE),
		atEnd: seen.atEnd,
		distances: () => {
			const { edges: known, top: above, height: own, isFlung } = last.current;
			return isFlung ? null : { above, below: lastEdge(known) - above - own };
		},
		scrollToEnd,
	};
}

const steps = (top: number): number => Math.round(top / STEP) * STEP;
