import { type RefCallback, useCallback, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';

/** Tolerance for fractions of a pixel from rounding. */
const SLACK_PX = 1;

/** Whether an element's content is cut off; true until measured. */
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
	// The content may change without a change of size.
	useLayoutEffect(measure);
	return [ref, isCut];
}

/** Rendered width of an element (px); 0 before the first paint. */
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

/** Shared: `matchMedia` costs more than rendering most components. */
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
