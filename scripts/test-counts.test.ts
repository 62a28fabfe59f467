import { expect, test } from 'vitest';
import { countTests, skippedTests } from './test-counts.mjs';

test('counts the tests of a vitest report', () => {
	const report = { numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 };
	expect(countTests(report, 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
});

test('counts the tests of a Playwright report, one that needed a second try among the passed', () => {
	const report = { stats: { expected: 4, unexpected: 0, flaky: 1, skipped: 2 } };
	expect(countTests(report, 0)).toEqual({ passed: 5, failed: 0, skipped: 2 });
});

test('counts a runner that failed without a failing test, or without a report, as one failure', () => {
	expect(countTests({ numPassedTests: 3, numFailedTests: 0 }, 1)).toEqual({ passed: 3, failed: 1, skipped: 0 });
	expect(countTests(undefined, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test('names the skipped tests of a vitest report; a report of Playwright, or none, has none', () => {
	const of = (status: string) => ({ status, fullName: `a ${status} test` });
	const report = { testResults: [{ assertionResults: ['passed', 'skipped', 'failed'].map(of) }] };
	expect(skippedTests(report)).toEqual(['a skipped test']);
	expect([skippedTests({ stats: {} }), skippedTests(undefined)]).toEqual([[], []]);
});
