import { type RefCallback, useCallback, useEffect, useRef, useState } from 'react';
import type { Plain } from '#lib/messages/say.ts';
import { isPlaceSettled, watchArea } from './watch-page.ts';

/** How a place where something is decided stands. */
export interface Settled<E extends HTMLElement> {
	/** For the element around the buttons. */
	ref: RefCallback<E>;
	/** For the look of the buttons. */
	isSettled: boolean;
	/** For the moment of a press, by pointer, finger or key. */
	mayPress: () => boolean;
	/** A press has just been dropped, because the place had moved. */
	isHasty: boolean;
}

/** So long a dropped press is told of, in ms. */
const HASTY_MS = 2500;

/**
 * Whether a place has stood still long enough to decide in it. `key` says what is decided there: with another one the
 * wait begins anew.
 */
export function useSettled<E extends HTMLElement>(key = ''): Settled<E> {
	const element = useRef<E>(null);
	const [settledAs, setSettledAs] = useState<string | null>(null);
	const ref = useCallback(
		(place: E) => {
			element.current = place;
			const stop = watchArea(place, (isSettled) => setSettledAs(isSettled ? key : null));
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

/** Shown for a press that was dropped because its place had just come or moved. */
export const HASTY: Plain = 'moved: press again';
