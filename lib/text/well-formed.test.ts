import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressPart, wellFormed } from './printable.ts';
import { anyText } from './testing/any-text.ts';

test('any text fits into an address, and comes out of it as what a page would read there', () => {
	fc.assert(
		fc.property(anyText(), (text) => {
			const read = new URLSearchParams(`row=${addressPart(text)}`).get('row');
			expect(read).toBe(wellFormed(text));
		}),
	);
	expect(addressPart('a\ud800 b')).toBe('a%EF%BF%BD%20b');
});
