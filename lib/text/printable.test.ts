import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clip, printable } from './printable.ts';
import { anyText } from './testing/any-text.ts';

describe('printable', () => {
	it('R16 takes out escape sequences, bidi marks and line breaks', () => {
		expect(printable('\u001b[31mdev\u001b[0m\u202eeloper\nrm -rf\u0007')).toBe(
			'develop er rm -rf'.replace('p e', 'pe'),
		);
		expect(printable('\u001b]0;title\u0007dev')).toBe('dev');
	});

	it('R16 leaves nothing invisible in any text', () => {
		fc.assert(
			fc.property(anyText({ maxLength: 300 }), (text) => {
				expect(printable(text, 50)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
				expect(printable(text, 50).length).toBeLessThanOrEqual(50);
			}),
		);
	});

	it('R16 never cuts a character in half', () => {
		expect(clip('a😀b', 3)).toBe('a…');
	});
});
