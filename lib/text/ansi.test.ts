import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { ansiSpans, hasAnsi } from './ansi.ts';

const ESC = String.fromCharCode(27);
const sgr = (codes: string) => `${ESC}[${codes}m`;

test('colours of a terminal become looks of text, and end where it says', () => {
	const text = `a ${sgr('1;32')}ok${sgr('0')} ${sgr('31')}no${sgr('39')} ${sgr('2')}dim${sgr('22')}${sgr('4')}u${sgr('24')}.`;
	expect(ansiSpans(text)).toEqual([
		{ text: 'a ' },
		{ text: 'ok', isBold: true, colour: 'green' },
		{ text: ' ' },
		{ text: 'no', colour: 'red' },
		{ text: ' ' },
		{ text: 'dim', isDim: true },
		{ text: 'u', isUnderlined: true },
		{ text: '.' },
	]);
	const numbered = ansiSpans(
		`${sgr('38;5;9')}a${sgr('38;2;1;2;3')}b${sgr('96;48;5;4')}c${sgr('38:5:200')}d${sgr('')}e`,
	);
	expect(numbered.map(({ text: letter, colour }) => [letter, colour])).toEqual([
		['a', 'red'],
		['b', undefined],
		['c', 'cyan'],
		['d', undefined],
		['e', undefined],
	]);
});

test('nothing is hidden: concealed, background and other sequences leave the text to be read', () => {
	const spans = ansiSpans(`${sgr('8;30;40')}rm -rf${sgr('7')} /${ESC}[2J${ESC}]0;title`);
	expect(spans.map(({ text }) => text).join('')).toBe(`rm -rf /${ESC}[2J${ESC}]0;title`);
	expect(hasAnsi(`${ESC}[2J`)).toBe(false);
	expect(hasAnsi(sgr('0'))).toBe(true);
});

test('whatever a text holds, its spans put together are all of it but the looks, and they are not many', () => {
	const piece = fc.oneof(
		fc.string(),
		fc.constantFrom(sgr('31'), sgr('0'), sgr('38;5'), sgr('38'), ESC, `${ESC}[`, 'm'),
	);
	fc.assert(
		fc.property(fc.array(piece), (pieces) => {
			const text = pieces.join('');
			const looks = new RegExp(String.raw`${ESC}\[[\d;:]{0,64}m`, 'g');
			expect(
				ansiSpans(text)
					.map((span) => span.text)
					.join(''),
			).toBe(text.replaceAll(looks, ''));
		}),
	);
	expect(ansiSpans(`${sgr('31')}a`.repeat(50_000)).length).toBeLessThan(4000);
});
