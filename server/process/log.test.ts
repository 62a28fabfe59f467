import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '#lib/text/testing/any-text.ts';
import { createLog } from './log.ts';

test('an entry is one line that steers no terminal, whatever its content', () => {
	fc.assert(
		fc.property(anyText(), anyText(), (message, value) => {
			const lines: string[] = [];
			createLog((line) => lines.push(line)).warn(message, { value });
			expect(lines).toHaveLength(1);
			expect(lines[0]).toMatch(/^\d{4}-\S+ warn [^\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]*\n$/u);
		}),
	);
});

test('an error has its stack below, escaped line by line', () => {
	const lines: string[] = [];
	createLog((line) => lines.push(line)).error('It failed', new Error('bad \u001b[2J'), { path: '/x' });
	expect(lines[0]).toMatch(/^\S+ error It failed path="\/x"\n {4}Error: bad \\u001b\[2J\n {4}at /);
});
