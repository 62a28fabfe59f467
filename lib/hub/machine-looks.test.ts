import { expect, test } from 'vitest';
import type { HubEdge } from '../contract/hub/edges.ts';
import { english } from '../messages/say.ts';
import { behindWords, clockWords, groupOf } from './machine-looks.ts';

const edge: HubEdge = {
	...{ id: 1, team: 'shop', name: 'laptop', state: 'joined', reason: null, connected: true, labels: [] },
	...{
		joinedAt: '2026-01-01T00:00:00.000Z',
		seenAt: null,
		behind: null,
		clockAhead: null,
		level: 'watch',
		version: null,
		older: false,
	},
};
const behind = (bytes: number, seconds: number) => behindWords({ ...edge, behind: { bytes, seconds } }, english);
const clock = (clockAhead: number | null) => clockWords({ ...edge, clockAhead }, english);

test('a machine’s line shows how far behind it is, and is highlighted above a minute', () => {
	expect([behindWords(edge, english), behind(0, 0), behind(1200, 0), behind(1200, 60), behind(3_400_000, 61)]).toEqual([
		null,
		{ words: 'up to date', isLate: false },
		{ words: '1.2 kB behind', isLate: false },
		{ words: '1.2 kB, 1m behind', isLate: false },
		{ words: '3.4 MB, 1m behind', isLate: true },
	]);
});

test('a clock that is more than five seconds off is reported', () => {
	expect([clock(null), clock(5), clock(-5)]).toEqual([null, null, null]);
	expect([clock(42), clock(-360)]).toEqual(['42s ahead of the hub’s', '6m behind the hub’s']);
});

test('only a joined machine is connected or away', () => {
	expect(groupOf(edge)).toBe('connected');
	expect(groupOf({ ...edge, connected: false })).toBe('away');
	expect(groupOf({ ...edge, state: 'quarantined' })).toBe('quarantined');
});
