import { expect, test } from 'vitest';
import { exitCodeOf, isFailedTest, printedBy } from './command-result.ts';

test.each([
	['1 failed, 2 passed', true],
	['Tests: 12 failed | 3 passed', true],
	['2 failing', true],
	['# fail 0', false],
	['0 failed, 14 passed', false],
	['14 passed', false],
	['ok', false],
])('the last line “%s” of a test run counts failures: %s', (lastLine, isFailed) => {
	expect(isFailedTest({ title: 'npm test', lastLine })).toBe(isFailed);
});

test('a command’s output is what it printed on both streams, whichever client reports it', () => {
	expect(printedBy({ stdout: 'a', stderr: 'b', interrupted: false })).toBe('a\nb');
	expect(printedBy({ output: 'a' })).toBe('a');
	expect(printedBy('Exit code 1\nno')).toBe('Exit code 1\nno');
	expect(printedBy({ stdout: { blob: 'x', preview: 'y' } })).toBeUndefined();
	expect(printedBy([1])).toBeUndefined();
});

test('an exit code is read if it was printed', () => {
	expect([exitCodeOf('Exit code 127\nnot found'), exitCodeOf({ exitCode: 0 }), exitCodeOf({ exit_code: 2 })]).toEqual([
		127, 0, 2,
	]);
	expect([exitCodeOf('done'), exitCodeOf(null), exitCodeOf({ stdout: '' })]).toEqual([undefined, undefined, undefined]);
});
