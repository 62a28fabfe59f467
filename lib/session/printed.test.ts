import { expect, test } from 'vitest';
import { exitCodeOf, printedBy } from './call-details.ts';

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
