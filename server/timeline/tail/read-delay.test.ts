import { expect, test } from 'vitest';
import { createReadDelay } from './tail.ts';

/** A pace on a clock of its own; `turn` is a turn `afterMs` after the last one that finds so many lines. */
function paced() {
	let now = 1000;
	const readDelay = createReadDelay(() => now);
	return (lines: number, afterMs: number) => {
		for (let n = 0; n < lines; n += 1) readDelay.addLines(1);
		now += afterMs;
		readDelay.startRead();
		return readDelay.pauseMs();
	};
}

test('lines are read at once however many come, as long as they are not dense', () => {
	const delayAfter = paced();
	for (const [lines, afterMs] of [
		[1, 0],
		[8, 0],
		[1, 5],
		[10, 20],
		[500, 1000],
	] as const) {
		expect(delayAfter(lines, afterMs)).toBe(0);
	}
});

test('after a turn that found dense lines the next one waits, until one finds fewer', () => {
	const delayAfter = paced();
	expect(delayAfter(9, 10)).toBe(20);
	expect(delayAfter(11, 20)).toBe(20);
	expect(delayAfter(10, 20)).toBe(0);
	expect(delayAfter(1, 0)).toBe(0);
});

test('the densest lines wait longer, so that more of them share a transaction', () => {
	const delayAfter = paced();
	expect(delayAfter(9, 4)).toBe(100);
	expect(delayAfter(201, 100)).toBe(100);
	expect(delayAfter(200, 100)).toBe(20);
	expect(delayAfter(10, 20)).toBe(0);
});
