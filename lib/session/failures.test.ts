import { expect, test } from 'vitest';
import { failureLine, failuresIn } from './failures.ts';

const TAP = `Exit code 1
TAP version 13
# Subtest: an item is on the list once
not ok 1 - an item is on the list once
  ---
  duration_ms: 3.1
  failureType: 'testCodeFailure'
  error: |-
    Expected values to be strictly deep-equal:
    + actual - expected

      [
    +   'mug',
      ]
  code: 'ERR_ASSERTION'
  ...
ok 2 - lists
not ok 3 - removes
  ---
  error: 'no such item'
  code: 'ERR'
`;

test('of a TAP output each failed test has its assertion, without the rest of its block', () => {
	expect(failuresIn(TAP)).toEqual([
		{
			name: 'an item is on the list once',
			why: "Expected values to be strictly deep-equal:\n+ actual - expected\n\n  [\n+   'mug',\n  ]",
		},
		{ name: 'removes', why: 'no such item' },
	]);
	expect(failureLine(TAP.replaceAll(/\s+/g, ' '))).toBe('failed: an item is on the list once');
});

test.each([
	[' \u001b[31mFAIL\u001b[0m  test/a.test.ts > adds\nAssertionError: expected 1 to be 2', 'test/a.test.ts > adds'],
	['building\nsrc/a.ts(3,1): error TS2304: x\nTypeError: x is undefined', 'src/a.ts(3,1): error TS2304: x'],
	['fatal: not a git repository', 'fatal: not a git repository'],
])('of %j the first failure is %j', (output, name) => {
	expect(failuresIn(output)[0]?.name).toBe(name);
});

test('an output without a failure has none; a short error is its own line', () => {
	expect(failuresIn('14 passed\n')).toEqual([]);
	expect(failureLine('exit code 1')).toBe('exit code 1');
	expect(failureLine('Exit code 1 at a TypeError: x is undefined')).toBe('TypeError: x is undefined');
});
