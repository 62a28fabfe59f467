import { useEffect } from 'react';
import { useConnected } from '../live/store.ts';

/** Delay (ms) before preloading, so that the visible page loads first. */
const SETTLED_MS = 2000;

/**
 * Preloads what is opened later, while the server is reachable, then sets the mark `preloaded`. `loads` must keep its identity.
 */
export function usePreload(loads: readonly (() => Promise<unknown>)[]): void {
	const isConnected = useConnected();
	useEffect(() => {
		if (!isConnected) return;
		const timer = setTimeout(async () => {
			// Failed loads are retried when the part is opened.
			await Promise.allSettled(loads.map((load) => load()));
			performance.mark('preloaded');
		}, SETTLED_MS);
		return () => clearTimeout(timer);
	}, [isConnected, loads]);
}
