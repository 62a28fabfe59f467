import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loweredCeilings, overCeilings, raisedCeilings } from './compare-ceilings.ts';
import { measureHouse } from './measure-house.ts';

const ROOT = join(import.meta.dirname, '..');

test('R2554 no room, folder or list is larger than its ceiling', () => {
	const {
		raised,
		trip: _measuredByTrip,
		...ceilings
	} = JSON.parse(readFileSync(join(import.meta.dirname, 'ceilings.json'), 'utf8'));
	expect(overCeilings(measureHouse(ROOT), ceilings)).toEqual([]);
	for (const why of raised) expect(why).toMatch(/^\S.* from \d+ to \d+: .{20,}/);
});

test('R2554 a number above its ceiling is reported with what to do; a lowered ceiling never rises', () => {
	const ceilings = { lines: { 'lib/time': 100, 'lib/gone': 5 } };
	const measured = { lines: { 'lib/time': 101, 'lib/new': 7 } };
	expect(overCeilings(measured, ceilings)).toEqual([
		'lines of lib/time: 101, at most 100. Make it smaller, or raise it with a reason: npm run ceilings -- --raise "WHY".',
		'lines of lib/new: 7, and no ceiling: npm run ceilings.',
	]);
	expect(loweredCeilings({ lines: { 'lib/time': 90 } }, ceilings)).toEqual({ lines: { 'lib/time': 90 } });
	expect(loweredCeilings(measured, ceilings)).toEqual({ lines: { 'lib/time': 100, 'lib/new': 7 } });
	expect(raisedCeilings(measured, ceilings, 'a new clock')).toEqual([
		'lines of lib/time from 100 to 101: a new clock',
		'lines of lib/new from 0 to 7: a new clock',
	]);
	expect(overCeilings(measured, ceilings)).toEqual([]);
});
