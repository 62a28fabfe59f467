import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffLines, diffSize, linesOf } from './line-diff.ts';

const shown = (from: string, to: string) =>
	diffLines(from, to).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`);

test('a change is shown as the lines that went and came between those that stayed', () => {
	expect(shown('a\nb\nc\n', 'a\nx\nc\n')).toEqual([' a', '-b', '+x', ' c']);
	expect(shown('', 'a\n\nb')).toEqual(['+a', '+', '+b']);
	expect(shown('a\nb\nc\nd', 'b\nd\ne')).toEqual(['-a', ' b', '-c', ' d', '+e']);
	expect(diffSize(diffLines('a\nb', 'a\nb'))).toEqual({ added: 0, removed: 0 });
});

test('whatever the texts, both can be read off again, and huge ones cost little', () => {
	const text = fc.array(fc.constantFrom('a', 'b', '', 'c')).map((lines) => lines.join('\n'));
	fc.assert(
		fc.property(text, text, (from, to) => {
			const lines = diffLines(from, to);
			const kept = (gone: string) => lines.filter(({ kind }) => kind !== gone).map((line) => line.text);
			expect(kept('added')).toEqual(linesOf(from));
			expect(kept('removed')).toEqual(linesOf(to));
		}),
	);
	const many = (prefix: string) => Array.from({ length: 20_000 }, (_, n) => `${prefix}${n}`).join('\n');
	expect(diffSize(diffLines(many('a'), many('b')))).toEqual({ added: 20_000, removed: 20_000 });
});
