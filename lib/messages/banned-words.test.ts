import { expect, test } from 'vitest';
import { chinese } from './chinese.ts';
import { english } from './say.ts';

/** Words of ours that a stranger does not know, and the term for each (docs/glossary.md). */
const banned: readonly [words: RegExp, instead: string][] = [
	[/\bTier\b/, 'signed in by a link, signed in by a passkey'],
	[/\bmakes? of agents?\b|^make$/, 'client'],
	[/^(opens|holds)$/i, 'Fails open, Fails closed'],
	[/^never ran$/i, 'not run, or sent back for a stop'],
	[/nobody was asked/i, 'no one was asked'],
	[/\(middle\)/, 'Median'],
	[/品牌/, '客户端'],
	[/放开|守住/, '故障时放行、故障时拒绝'],
];

test('no message uses a word of ours where the field has a term, in English and in Chinese', () => {
	const texts = Object.entries<string>(chinese).flatMap(([key, text]) => [english.known(key), text]);
	const found = texts.flatMap((text) =>
		banned.filter(([word]) => word.test(text)).map(([, instead]) => `“${text}”: say ${instead}`),
	);
	expect(found).toEqual([]);
});
