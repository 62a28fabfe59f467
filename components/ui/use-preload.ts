import { useEffect } from 'react';
import { useConnected } from '../live/use-connected.ts';

/** Fetches parts of the page that are opened later while there is a server to fetch them from. Give the same list each time. */
export function usePreload(loads: readonly (() => Promise<unknown>)[]): void {
	const isConnected = useConnected();
	useEffect(() => {
		// One that does not come is asked for again when it is opened.
		if (isConnected) void Promise.allSettled(loads.map((load) => load()));
	}, [isConnected, loads]);
}
