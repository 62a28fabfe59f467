import { type RefCallback, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** A part of a pixel that rounding adds. */
const SLACK_PX = 1;

/** Whether an element hides a part of what it holds, as it is on screen now; true until it has been measured. */
export function useCut<E extends HTMLElement>(): [RefCallback<E>, boolean] {
	const box = useRef<E>(null);
	const [isCut, setCut] = useState(true);
	const measure = useCallback(() => {
		const { current: element } = box;
		if (!element) return;
		const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element;
		setCut(clientHeight === 0 || scrollHeight > clientHeight + SLACK_PX || scrollWidth > clientWidth + SLACK_PX);
	}, []);
	const ref = useCallback(
		(element: E) => {
			box.current = element;
			const observer = new ResizeObserver(measure);
			observer.observe(element);
			return () => {
				observer.disconnect();
				box.current = null;
			};
		},
		[measure],
	);
	// Other text may have the same box.
	useLayoutEffect(measure);
	return [ref, isCut];
}

/** The width (px) of an element as it is on screen; 0 before the first paint. */
export function useWidth<T extends HTMLElement>(): [RefCallback<T>, number] {
	const [width, setWidth] = useState(0);
	const ref = useCallback((element: T) => {
		const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	return [ref, width];
}

const query = '(max-width: 899px)';

let narrowQuery: MediaQueryList | undefined;

/** One for all: asking the window again costs more than what most components draw. */
function narrow(): MediaQueryList {
	narrowQuery ??= window.matchMedia(query);
	return narrowQuery;
}

function subscribe(listener: () => void): () => void {
	const list = narrow();
	list.addEventListener('change', listener);
	return () => list.removeEventListener('change', listener);
}

/** Whether the window is too narrow for two panes. */
export function useNarrow(): boolean {
	return useSyncExternalStore(
		subscribe,
		() => narrow().matches,
		() => false,
	);
}
