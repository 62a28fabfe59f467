import { type Reading, readings } from '../../row/search-params.ts';

const KEY = 'signalbox-story';

/** How this browser read a story last; as a tree at first, and where it keeps nothing. */
export function keptReading(): Reading {
	try {
		return readings.find((each) => each === localStorage.getItem(KEY)) ?? 'tree';
	} catch {
		return 'tree';
	}
}

/** Keeps how stories are read; without storage it lasts as long as the address. */
export function keepReading(reading: Reading): void {
	try {
		localStorage.setItem(KEY, reading);
	} catch {
		// The address holds it all the same.
	}
}
