import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SessionView } from '../contract/sessions/read-model/session-view.ts';
import { emptyView } from '../session/fold.ts';
import { collectBusySpans } from './collect-busy-spans.ts';
import { GAP_MS, playOn } from './play-on.ts';

const MINUTE = 60_000;
const busy = [
	{ from: 0, to: 10_000 },
	{ from: 60 * MINUTE, to: 60 * MINUTE },
	{ from: 120 * MINUTE, to: 121 * MINUTE },
];
const END = 121 * MINUTE;

test('playing takes as long as the work took by its speed, and a moment for each idle gap', () => {
	expect(playOn(busy, 0, 4_000, 1)).toBe(4_000);
	expect(playOn(busy, 0, 100, 64)).toBe(6_400);
	expect(playOn(busy, 5_000, 5_000 + GAP_MS / 2, 1)).toBe(10_000 + (60 * MINUTE - 10_000) / 2);
	expect(playOn(busy, 10_000, GAP_MS, 8)).toBe(60 * MINUTE);
	expect(playOn(busy, 10_000, 2 * GAP_MS + 1_000, 8)).toBe(120 * MINUTE + 8_000);
	expect([playOn(busy, -MINUTE, 1_000, 1), playOn(busy, END, 1_000, 1), playOn(busy, 0, 1e9, 1)]).toEqual([
		...[1_000, END, END],
	]);
	expect(playOn([], 7, 1_000, 1)).toBe(7);
});

test('playing in many short steps comes to where one long step does, never back and never past the end', () => {
	const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 0, max: 500_000 })), {
		minLength: 1,
		maxLength: 8,
	});
	fc.assert(
		fc.property(lengths, fc.integer({ min: 1, max: 64 }), fc.integer({ min: 1, max: 3_000 }), (all, speed, elapsed) => {
			let at = 0;
			const spans = all.map(([gap, length]) => {
				const from = at + gap;
				at = from + length;
				return { from, to: at };
			});
			const start = spans[0]?.from ?? 0;
			let stepped = start;
			for (let step = 0; step < 10; step += 1) {
				const next = playOn(spans, stepped, elapsed / 10, speed);
				expect(next).toBeGreaterThanOrEqual(stepped);
				stepped = next;
			}
			expect(stepped).toBeLessThanOrEqual(at);
			expect(stepped).toBeCloseTo(playOn(spans, start, elapsed, speed), 2);
		}),
	);
});

test('a call makes the time from its start to its end busy, however long nothing else happens', () => {
	const collected = collectBusySpans();
	const open = { ...emptyView('s'), calls: [{ toolUseId: 't', verdicts: [] }] } as unknown as SessionView;
	collected.add(0, emptyView('s'));
	collected.add(1_000, emptyView('s'));
	collected.add(10 * MINUTE, open);
	collected.add(11 * MINUTE, emptyView('s'));
	collected.add(20 * MINUTE, emptyView('s'));
	expect(collected.spans()).toEqual([
		{ from: 0, to: 11 * MINUTE },
		{ from: 20 * MINUTE, to: 20 * MINUTE },
	]);
});

test('stretches are bounded: those that lie closest together are joined', () => {
	const collected = collectBusySpans();
	let at = 0;
	for (let index = 0; index < 5_000; index += 1) {
		at += index % 10 === 0 ? 100 * MINUTE : 3 * MINUTE;
		collected.add(at, emptyView('s'));
	}
	const spans = collected.spans();
	expect(spans.length).toBeLessThanOrEqual(1_000);
	expect(spans.length).toBeGreaterThan(400);
	expect(spans.every(({ from, to }, index) => from <= to && from > (spans[index - 1]?.to ?? -1))).toBe(true);
	expect([spans[0]?.from, spans.at(-1)?.to]).toEqual([100 * MINUTE, at]);
});
