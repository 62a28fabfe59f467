import { type RefObject, useCallback, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { itemsBetween, type KeyedList, lastEdge, shiftAt } from '#lib/timeline/list-edges.ts';

/** Items so far (px) beyond either edge are drawn, too. */
const BESIDE = 336;
/** Scrolling draws again each time that it has gone so far (px), which leaves BESIDE less half of it. */
const STEP = 168;
/** The list grows and shrinks by so many items at its upper end. */
const STRIDE = 8;
/** As near (px) to its end as this, a list that is scrolled down follows. */
const NEAR_END = 40;
/** A fling of a finger is over after so long (ms) without a scroll event. */
const REST_MS = 150;

interface StretchOptions extends KeyedList {
	/** The element that scrolls; nothing else may be inside of it that takes height. */
	scrollRef: RefObject<HTMLElement | null>;
	/** Whether it goes along with what is added at its end while the reader is there. */
	mayFollow?: boolean;
	/** Where it begins (px); without it at the end. */
	start?: () => number | null;
	/** Hears that the reader has moved; of a fling only its end, because a place that is set in it is not kept. */
	onMove?: () => void;
}

/** What of a long list is drawn. */
export interface Stretch {
	from: number;
	/** The first item that is not drawn. */
	to: number;
	/** The reader is at the end; if it may, the list follows what is added there. */
	atEnd: boolean;
	/** Px from the place of the reader to the list's beginning and end; null in a fling. */
	distances: () => { above: number; below: number } | null;
	scrollToEnd: () => void;
}

interface Seen {
	/** In STEPs, so that most scroll events change nothing. */
	top: number;
	height: number;
	atEnd: boolean;
}

interface Last extends KeyedList {
	top: number;
	/** For which place (px) it was drawn last. */
	drawn: number;
	height: number;
	isFlung: boolean;
}

/**
 * The drawn part of a list whose heights are known beforehand: nothing is measured, and what is added while the reader
 * is at its end costs one draw. Elsewhere the reader's place is kept, whatever is put in above.
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

	/** Takes over where the reader is. Moved up, a list is no longer at its end, however near; scrolled down it is again. */
	const look = useEffectEvent((box: HTMLElement) => {
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
		else look(box);
	});
	const moved = useEffectEvent(() => {
		last.current.isFlung = false;
		onMove?.();
	});

	useLayoutEffect(() => {
		const box = scrollRef.current;
		if (!box) return;
		let isTouched = false;
		let rest: ReturnType<typeof setTimeout> | undefined;
		const onScroll = () => {
			// What is drawn covers the next frames, too; further away it is drawn in this one, or its edge would be seen empty.
			if (Math.abs(box.scrollTop - last.current.drawn) < BESIDE - STEP / 2) look(box);
			else flushSync(() => look(box));
			clearTimeout(rest);
			last.current.isFlung = isTouched;
			if (isTouched) rest = setTimeout(moved, REST_MS);
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
		look(box);
		return () => {
			clearTimeout(rest);
			observer.disconnect();
			box.removeEventListener('scroll', onScroll);
			box.removeEventListener('touchstart', onTouch);
			box.removeEventListener('wheel', onWheel);
		};
	}, [scrollRef]);

	// biome-ignore lint/correctness/useExhaustiveDependencies: another height has another end.
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
		if (before.edges !== edges) look(box);
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
