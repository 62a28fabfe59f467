import { type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

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
