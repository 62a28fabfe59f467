import { expect, test } from 'vitest';
import { english } from '../messages/say.ts';
import { barsOf, spreadDays, stripWords } from './ledger-days.ts';

const days = [
	{ day: '2026-01-01', denied: 2, overridden: 0, decideMs: null },
	{ day: '2026-01-20', denied: 5, overridden: 1, decideMs: 60_000 },
] as Parameters<typeof barsOf>[0];

test('every day of the range has a bar, at least fourteen; days without data have none of any height', () => {
	const all = spreadDays(barsOf(days, 'denied'));
	expect(all).toHaveLength(20);
	expect(all.filter(({ value }) => value > 0).map(({ day, words }) => `${day} ${words}`)).toEqual([
		'2026-01-01 2',
		'2026-01-20 5',
	]);
	expect(spreadDays(barsOf(days.slice(0, 1), 'denied'))).toHaveLength(14);
	expect(spreadDays([])).toEqual([]);
});

test('a strip says its total and its highest day, and the total alone if nothing happened', () => {
	const bars = barsOf(days, 'denied');
	expect(stripWords('Denied', '7', bars, english)).toBe('Denied: 7 in all, most on 2026-01-20: 5');
	expect(stripWords('Denied', '0', [], english)).toBe('Denied: 0');
});
