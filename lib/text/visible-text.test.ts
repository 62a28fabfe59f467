import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from './testing/any-text.ts';
import { countUnseen, cutText, prettyValue, visibleParts, visibleString } from './visible-text.ts';

/** What a reader or a terminal would act on without showing it. */
const acts = /(?![\n\t])[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;

describe('visible text', () => {
	test('R200 the parts of any text put together are the text', () => {
		fc.assert(
			fc.property(anyText(), (text) => {
				expect(
					visibleParts(text)
						.map((part) => part.text)
						.join(''),
				).toBe(text);
			}),
		);
	});

	test('R200 no plain part holds a control, bidirectional or zero-width character', () => {
		fc.assert(
			fc.property(anyText(), (text) => {
				for (const part of visibleParts(text)) if (part.kind === 'text') expect(part.text).not.toMatch(acts);
				expect(visibleString(text)).not.toMatch(acts);
			}),
		);
	});

	test('R200 marks name the character that they replace', () => {
		const marks = visibleParts('a\u202eb\u200bc\u001b[31m\u00a0\u{e0041}').filter(({ kind }) => kind === 'mark');
		expect(marks.map((mark) => 'name' in mark && mark.name)).toEqual([
			'RLO U+202E',
			'ZWSP U+200B',
			'ESC U+001B',
			'NBSP U+00A0',
			'U+E0041',
		]);
	});

	test('R200 half surrogates are marks, whole pairs are text', () => {
		expect(countUnseen('\ud83d')).toBe(1);
		expect(countUnseen('\u{1f600}')).toBe(0);
	});

	test('lines, tabs and written emoji stay as they are', () => {
		expect(countUnseen('one\n\ttwo ⚠️ 👩‍💻 👩🏽‍🚀')).toBe(0);
	});

	test('joiners and selectors outside emoji are marks', () => {
		expect(countUnseen('a\u200db \ufe0f')).toBe(2);
	});

	test('a cut never splits a pair and says what it left out', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, max) => {
				const cut = cutText(text, max);
				expect(cut.text.length + cut.left).toBe(text.length);
				expect(text.startsWith(cut.text)).toBe(true);
				expect(cut.text).not.toMatch(/[\ud800-\udbff]$/);
			}),
		);
	});

	test('values that JSON cannot hold are still text', () => {
		const loop: Record<string, unknown> = {};
		loop.self = loop;
		expect(prettyValue(loop)).toBe('[object Object]');
		expect(prettyValue(undefined)).toBe('undefined');
		expect(prettyValue({ a: 1 })).toBe('{\n  "a": 1\n}');
	});
});
