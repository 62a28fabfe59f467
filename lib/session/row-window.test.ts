import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../contract/sessions/read-model/row.ts';
import { rowIn, WINDOW_ROWS, windowOf, withNewer, withOlder, withRows } from './session-state.ts';

const row = (seq: number, title = ''): Row => ({
	key: `event:${seq}`,
	seq,
	at: '2026-01-01T00:00:00.000Z',
	type: 'prompt:submit',
	title,
	tone: 'plain',
	shown: true,
});
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => row(from + index));
const seqs = (rows: readonly Row[]) => rows.map(({ seq }) => seq);

describe('the window of rows', () => {
	test('rows stay ascending and without doubles, whatever comes in whatever order', () => {
		const change = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
		fc.assert(
			fc.property(fc.array(change, { maxLength: 6 }), (changes) => {
				const all = changes.reduce(
					(window, list) =>
						withRows(
							window,
							list.map((seq) => row(seq)),
						),
					windowOf([]),
				);
				expect(seqs(all.rows)).toEqual([...new Set(changes.flat())].sort((a, b) => a - b));
				expect(all.rows.every((each) => rowIn(all.rows, each.key) === each)).toBe(true);
			}),
		);
	});

	test('a changed row takes the place of the old one, and no other row changes its identity', () => {
		const before = windowOf(range(1, 3));
		const after = withRows(before, [row(2, 'new')]);
		expect(after.rows.map(({ title }) => title)).toEqual(['', 'new', '']);
		expect(after.rows[0]).toBe(before.rows[0]);
		expect(withRows(before, [])).toBe(before);
	});

	test('the window never grows beyond its limit; what falls out can be loaded again', () => {
		const live = withRows(windowOf(range(1, WINDOW_ROWS)), range(WINDOW_ROWS + 1, WINDOW_ROWS + 50));
		const kept = live.rows.length;
		expect([live.rows.at(-1)?.seq, live.hasOlder, live.atTail]).toEqual([WINDOW_ROWS + 50, true, true]);
		expect(kept).toBeLessThanOrEqual(WINDOW_ROWS);
		const back = withOlder(live, range(1, WINDOW_ROWS + 50 - kept), 1);
		expect([back.rows.length, back.rows[0]?.seq, back.hasOlder, back.atTail]).toEqual([WINDOW_ROWS, 1, true, false]);
		const forth = withNewer(back, range(WINDOW_ROWS + 1, WINDOW_ROWS + 50), 200);
		expect([forth.rows.at(-1)?.seq, forth.hasOlder, forth.atTail]).toEqual([WINDOW_ROWS + 50, true, true]);
	});

	test('away from the tail new rows are left to be loaded', () => {
		const away = { ...windowOf(range(1, 3)), atTail: false };
		expect(seqs(withRows(away, [row(9), row(2, 'x')]).rows)).toEqual([1, 2, 3]);
	});

	test('older rows exist until the first event of the session is in', () => {
		expect(windowOf(range(5, 6)).hasOlder).toBe(true);
		expect(windowOf(range(1, 2)).hasOlder).toBe(false);
		expect(windowOf([]).hasOlder).toBe(false);
	});
});
