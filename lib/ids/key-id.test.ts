import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from '../text/testing/any-text.ts';
import { keyIdOf, MAX_ID } from './safe-id.ts';

test('an id that a client gives is a key as it is, or a name that only the same id has', () => {
	for (const id of ['toolu_01', 'a b', '呼び出し', 'x'.repeat(256)]) expect(keyIdOf(id, 'call')).toBe(id);
	const odd = ['nul\u0000', 'nul\u0001', 'x'.repeat(257), `${'x'.repeat(256)}y`, '\u202ereversed', 'two\u2028lines'];
	const keys = odd.map((id) => keyIdOf(id, 'call'));
	expect(new Set(keys).size).toBe(odd.length);
	for (const none of ['', null, 7, {}, undefined]) expect(keyIdOf(none, 'agent')).toBeUndefined();
});

test('every key is printable, short enough for its place, and a key of its own', () => {
	const ids = anyText({ minLength: 1, maxLength: 400 });
	fc.assert(
		fc.property(ids, fc.constantFrom('call' as const, 'agent' as const), (id, kind) => {
			const key = keyIdOf(id, kind) ?? '';
			expect(key.length).toBeGreaterThan(0);
			expect(key.length).toBeLessThanOrEqual(MAX_ID[kind]);
			expect(key).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
			expect(keyIdOf(key, kind)).toBe(key);
		}),
	);
});
