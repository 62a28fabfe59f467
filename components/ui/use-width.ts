import { type RefCallback, useCallback, useState } from 'react';

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
