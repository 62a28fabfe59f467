import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseStrictJson } from './define-route.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

test.each([
	['{"a":1,"a":2}', /comes twice/],
	['{"a":1,"\\u0061":2}', /comes twice/],
	[`{"a":1,"a"${' '.repeat(500)}:2}`, /comes twice/],
	['{"x":{"a":{},"b":[],"a":1}}', /comes twice/],
	['{"__proto__":{"allow":true}}', /refused/],
	['{"a":{"constructor":1}}', /refused/],
	['{"a":{"\\u005f_proto__":1}}', /refused/],
	[nested(65), /deeper/],
	['["\\u0000"]', /NUL/],
	['["\\ud800"]', /half a character/],
	['', /not JSON/],
	['{', /not JSON/],
	['{"a"}', /not JSON/],
	['{"a":"b', /not JSON/],
	["{'a':1}", /not JSON/],
	['{"a":1}}', /not JSON/],
])('%s is refused', (body, message) => {
	expect(() => parseStrictJson(body)).toThrow(message);
});

test('the same key in different objects, and 64 levels, are fine', () => {
	expect(parseStrictJson('{"a":{"a":1},"b":[{"a":1},{"a":":"}]}')).toEqual({ a: { a: 1 }, b: [{ a: 1 }, { a: ':' }] });
	expect(() => parseStrictJson(nested(64))).not.toThrow();
});

test('everything else reads as JSON.parse reads it', () => {
	const safeKey = fc
		.string({ unit: 'grapheme' })
		.filter((key) => !['__proto__', 'constructor', 'prototype'].includes(key));
	const json = fc.jsonValue({ maxDepth: 6, stringUnit: 'grapheme' });
	fc.assert(
		fc.property(fc.dictionary(safeKey, json), fc.constantFrom(undefined, 2), (value, indent) => {
			const body = JSON.stringify(value, null, indent);
			fc.pre(!/\\u0000|__proto__|constructor|prototype/.test(body));
			expect(parseStrictJson(body)).toEqual(JSON.parse(body));
		}),
	);
});

test('a body of a megabyte made to be slow is refused like any other', () => {
	for (const part of ['\\"', '"', '[', '\\\\', '{"":']) {
		expect(() => parseStrictJson(`"${part.repeat(500_000 / part.length)}`)).toThrow(/not JSON|deeper/);
	}
});
