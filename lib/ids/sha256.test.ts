import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../text/testing/any-text.ts';
import { sha256 } from './sha256.ts';

test('a small digest is the SHA-256 that everybody else computes', () => {
	const known = (text: string): string => createHash('sha256').update(text).digest('hex');
	fc.assert(
		fc.property(anyText({ maxLength: 300 }), (text) => {
			expect(sha256(text)).toBe(known(text));
		}),
	);
	for (const length of [0, 55, 56, 63, 64, 119, 120, 5000]) {
		expect(sha256('a'.repeat(length))).toBe(known('a'.repeat(length)));
	}
});
