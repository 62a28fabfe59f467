import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decisionRateOf, type TimedDecision } from './decision-rate.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const decided = (state: string, ms: number, agoMs = 0): TimedDecision => ({
	state,
	requestedAt: new Date(NOW - agoMs - ms).toISOString(),
	decidedAt: new Date(NOW - agoMs).toISOString(),
});

test('A5: the rate counts decisions of people, not lapsed questions', () => {
	expect(decisionRateOf([decided('expired', 10), decided('abandoned', 10)], NOW)).toBeNull();
	const some = [
		decided('approved', 1000),
		decided('denied', 3000, 7_200_000),
		decided('approved', 9000),
		decided('expired', 1),
	];
	expect(decisionRateOf(some, NOW)).toEqual({
		decided: 3,
		approveRate: 2 / 3,
		medianMs: 3000,
		lastHour: 2,
		isRubberStamp: false,
	});
});

test('A5: twenty quick approvals are reported; a slow one, a denial among them, or fewer are not', () => {
	const yeses = (count: number, ms: number) => Array.from({ length: count }, () => decided('approved', ms));
	expect(decisionRateOf(yeses(20, 1999), NOW)?.isRubberStamp).toBe(true);
	expect(decisionRateOf(yeses(19, 100), NOW)?.isRubberStamp).toBe(false);
	expect(decisionRateOf(yeses(20, 2000), NOW)?.isRubberStamp).toBe(false);
	expect(decisionRateOf([...yeses(19, 100), decided('denied', 100)], NOW)?.isRubberStamp).toBe(false);
});

test('whatever the records hold, the figures are figures', () => {
	const any = fc.array(fc.record({ state: fc.string(), requestedAt: fc.string(), decidedAt: fc.string() }));
	fc.assert(
		fc.property(any, (records) => {
			const rate = decisionRateOf(records, NOW);
			expect(rate === null || (rate.approveRate >= 0 && rate.approveRate <= 1)).toBe(true);
		}),
	);
});
