import { expect, test } from 'vitest';
import { plainLine } from './plain-line.ts';

test('a line of Markdown reads without its signs, and other text as it is', () => {
	expect(plainLine('Build the **cart** with `VAT`')).toBe('Build the cart with VAT');
	expect(plainLine('## Plan - a `Cart` class')).toBe('Plan - a Cart class');
	expect(plainLine('2 * 3 ** 4, snake_case__name, #42')).toBe('2 * 3 ** 4, snake_case__name, #42');
});
