import { useEffect } from 'react';
import { useConnected } from '../live/store.ts';

/** Left to what the page shows at first: it must not wait for what nobody has opened yet. */
const SETTLED_MS = 2000;

/**
 * Fetches parts of the page that are opened later while there is a server to fetch them from, and then sets the
 * performance mark `preloaded`. Give the same list each time.
 */
export function usePreload(loads: readonly (() => Promise<unknown>)[]): void {
	const isConnected = useConnected();
	useEffect(() => {
		if (!isConnected) return;
		const timer = setTimeout(async () => {
			// One that does not come is asked for again when it is opened.
			await Promise.allSettled(loads.map((load) => load()));
			performance.mark('preloaded');
		}, SETTLED_MS);
		return () => clearTimeout(timer);
	}, [isConnected, loads]);
}
