import { expect, test } from 'vitest';
import { hasFailedTests } from './call-details.ts';

test.each([
	['1 failed, 2 passed', true],
	['Tests: 12 failed | 3 passed', true],
	['2 failing', true],
	['# fail 0', false],
	['0 failed, 14 passed', false],
	['14 passed', false],
	['ok', false],
])('the last line “%s” of a test run counts failures: %s', (lastLine, isFailed) => {
	expect(hasFailedTests(lastLine)).toBe(isFailed);
});
