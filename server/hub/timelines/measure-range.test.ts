import { expect, test } from 'vitest';
import { MAX_RANGE_BYTES, MAX_RANGE_LINES } from '#lib/contract/hub/hub-wire.ts';
import { measureRange } from '../connections/edge-connection.ts';
import { createEdgeRateLimits } from './edge-rate-limits.ts';

test('a range costs as many events as it may contain; long lines and blank ones cost, too', () => {
	expect(measureRange(Buffer.of())).toBe(1);
	expect(measureRange(Buffer.from('\n{}\n\n{}\n'))).toBe(2);
	expect(measureRange(Buffer.from('\n'.repeat(400)))).toBe(100);
	expect(measureRange(Buffer.from(`${'x'.repeat(8 * 1024 * 10 - 1)}\n`))).toBe(10);
	expect(measureRange(Buffer.from('{}'))).toMatch(/end with a line/);
	expect(measureRange(Buffer.from('a\n'.repeat(MAX_RANGE_LINES)))).toBe(MAX_RANGE_LINES);
	expect(measureRange(Buffer.from('a\n'.repeat(MAX_RANGE_LINES + 1)))).toMatch(/more than 2000 lines/);
	const long = 'x'.repeat(MAX_RANGE_BYTES);
	expect(measureRange(Buffer.from(`${long}\n`))).toBeTypeOf('number');
	expect(measureRange(Buffer.from(`\n${long}\n`))).toMatch(/together/);
});

test('an edge above its rate is asked to wait, and refused once it owes a whole burst; others are not', () => {
	let at = 0;
	const paces = createEdgeRateLimits(() => at);
	expect(paces.spend(1, 20_000)).toBe(0);
	expect(paces.spend(1, 5000)).toBe(10_000);
	expect(paces.spend(2, 1)).toBe(0);
	expect(paces.spend(1, 15_001)).toBe(null);
	expect(paces.spend(1, 1)).toBe(10_002);
	at = 10_000;
	expect(paces.spend(1, 1)).toBe(4);
	at = 100_000;
	expect(paces.spend(1, 20_001)).toBe(2);
});
