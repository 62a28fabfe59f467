import { expect, test } from 'vitest';
import type { PartAnswer } from '#lib/contract/archives/replay.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { PART_EVENTS } from '#lib/replay/recording.ts';
import { emptyView } from '#lib/session/fold.ts';
import { holds, type LoadedParts, nextPartToLoad, withPart } from './recorded-readings.tsx';

const part = (after: number, startAt: number | null, nextAt: number | null): PartAnswer => ({
	...{ after, startAt, nextAt, view: emptyView('s'), recalled: [], rows: [] },
	events: Array.from({ length: PART_EVENTS }, (_, index) => ({ seq: after + index + 1 }) as IndexedEvent),
});

test('an instant lies in exactly one of the parts that follow each other', () => {
	const parts = [part(0, null, 100), part(500, 90, 200), part(1000, 200, null)];
	const holding = (instant: number) => parts.filter((each) => holds(each, instant)).map(({ after }) => after);
	expect([-5, 89, 100, 199, 200, 1e9].map(holding)).toEqual([[0], [0], [500], [500], [1000], [1000]]);
	// Between the last event of a part and the first of the next, both parts give the same view.
	expect(holding(95)).toEqual([0, 500]);
});

test('of a long recording a page keeps few parts, and asks for the next one in time', () => {
	let loaded: LoadedParts = [];
	for (let after = 0; after < 50 * PART_EVENTS; after += PART_EVENTS)
		loaded = withPart(loaded, part(after, after, after + 1));
	expect(loaded.length).toBeLessThan(10);
	loaded = withPart(loaded, part(48 * PART_EVENTS, 0, 1));
	expect(loaded.filter(({ after }) => after === 48 * PART_EVENTS)).toHaveLength(1);
	expect(nextPartToLoad(part(500, 0, 9), 600)).toBeNull();
	expect(nextPartToLoad(part(500, 0, 9), 900)).toBe(500 + PART_EVENTS);
	expect(nextPartToLoad(part(500, 0, null), 900)).toBeNull();
});
