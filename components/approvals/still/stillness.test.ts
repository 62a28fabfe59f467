import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Box, createStillness, STILL_MS } from './stillness.ts';

/** A list of rows of equal height under a pointer, with a manual clock. */
function createPage() {
	let now = 0;
	let timer: { at: number; run: () => void } | undefined;
	const stillness = createStillness({
		now: () => now,
		after(ms, run) {
			const mine = { at: now + ms, run };
			timer = mine;
			return () => {
				if (timer === mine) timer = undefined;
			};
		},
	});
	const ROW = 36;
	let order: string[] = [];
	let scrolled = 0;
	const rows = new Map<string, { isStill: () => boolean; stop: () => void; shown: boolean }>();
	const boxOf = (id: string): Box => ({ left: 0, top: order.indexOf(id) * ROW - scrolled, width: 100, height: ROW });
	return {
		/** Sets the rows of the page: starts watching new ones and stops watching removed ones. */
		show(ids: readonly string[], isReported = true) {
			order = [...ids];
			for (const [id, row] of rows) {
				if (ids.includes(id)) continue;
				row.stop();
				rows.delete(id);
			}
			for (const id of ids) {
				if (rows.has(id)) continue;
				const row = { shown: false, isStill: () => false, stop: () => {} };
				rows.set(id, row);
				const onChange = (isStill: boolean) => {
					row.shown = isStill;
				};
				Object.assign(row, stillness.watch({ box: () => boxOf(id), onChange }));
			}
			if (isReported) stillness.checkAreas();
		},
		scroll(by: number) {
			scrolled += by;
			stillness.acceptScroll();
		},
		/** Advances the clock by `ms` and runs due timers. */
		pass(ms: number) {
			const end = now + ms;
			while (timer && timer.at <= end) {
				now = Math.max(now, timer.at);
				const { run } = timer;
				timer = undefined;
				run();
			}
			now = end;
		},
		/** Id of the row that a press at this height would decide, or null. */
		press(y: number): string | null {
			const id = order[Math.floor((y + scrolled) / ROW)];
			return id !== undefined && rows.get(id)?.isStill() ? id : null;
		},
		isShownStill: (id: string) => rows.get(id)?.shown ?? false,
		now: () => now,
	};
}

test('R1200 what has just come decides nothing, and looks so', () => {
	const page = createPage();
	page.show(['a', 'b']);
	expect([page.press(10), page.isShownStill('a')]).toEqual([null, false]);
	page.pass(STILL_MS - 1);
	expect([page.press(10), page.isShownStill('a')]).toEqual([null, false]);
	page.pass(1);
	expect([page.press(10), page.isShownStill('a')]).toEqual(['a', true]);
});

test('R1200 a button that moved under the pointer decides nothing at first; one that did not move decides', () => {
	const page = createPage();
	page.show(['a', 'b', 'c']);
	page.pass(STILL_MS);
	expect(page.press(10)).toBe('a');
	page.show(['b', 'c']);
	page.pass(300);
	expect([page.press(10), page.isShownStill('b')]).toEqual([null, false]);
	page.pass(300);
	expect(page.press(10)).toBe('b');
	page.show(['b', 'd', 'c']);
	expect([page.press(10), page.press(40), page.press(80)]).toEqual(['b', null, null]);
});

test('R1200 a move without a scroll event counts from the press that meets it', () => {
	const page = createPage();
	page.show(['a', 'b']);
	page.pass(STILL_MS);
	page.show(['b'], false);
	page.pass(5000);
	expect(page.press(10)).toBe(null);
	page.pass(STILL_MS);
	expect(page.press(10)).toBe('b');
});

test('R1200 the reader’s own scrolling keeps nobody from deciding', () => {
	const page = createPage();
	page.show(['a', 'b', 'c']);
	page.pass(STILL_MS);
	page.scroll(36);
	expect(page.press(10)).toBe('b');
});

test('R1200 a press counts although the page has not yet reported the scrolling that led to it', () => {
	let box: Box = { left: 0, top: 400, width: 100, height: 36, scrolledY: 0 };
	let now = 0;
	const stillness = createStillness({ now: () => now, after: () => () => undefined });
	const watched = stillness.watch({ box: () => box, onChange: () => undefined });
	now = STILL_MS;
	expect(watched.isStill()).toBe(true);
	box = { ...box, top: 100, scrolledY: 300 };
	expect(watched.isStill()).toBe(true);
	// Content inserted above it has moved it, whether or not the page scrolled.
	box = { ...box, top: 136 };
	expect(watched.isStill()).toBe(false);
});

test('R1200 whatever comes, goes and moves, two presses on one spot in 300 ms never decide two questions', () => {
	const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 6 });
	const step = fc.oneof(
		fc.record({ kind: fc.constant('show' as const), ids, isTold: fc.boolean() }),
		fc.record({ kind: fc.constant('press' as const), y: fc.constantFrom(10, 46) }),
		fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 0, max: 900 }) }),
	);
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
			const page = createPage();
			const decided: { id: string; y: number; at: number }[] = [];
			for (const each of steps) {
				if (each.kind === 'show') page.show(each.ids, each.isTold);
				else if (each.kind === 'pass') page.pass(each.ms);
				else {
					const id = page.press(each.y);
					if (id !== null) decided.push({ id, y: each.y, at: page.now() });
				}
			}
			for (const one of decided) {
				const near = decided.filter(({ y, at }) => y === one.y && Math.abs(at - one.at) <= 300);
				expect(new Set(near.map(({ id }) => id)).size).toBe(1);
			}
		}),
		{ numRuns: 500, seed: 11 },
	);
});
