import { foldCase, plainText } from './fold-case.ts';

/**
 * What a person typed as the pieces that a text must have, all of them, in any case and anywhere within words. What stands
 * in double quotes is one piece; a quote that is never closed goes to the end. Every text is a search: nothing in it is an
 * operator. Without a single character it has no pieces.
 */
export function searchTerms(typed: string): string[] {
	const terms = [...plainText(typed).matchAll(/"(?<quoted>[^"]*)"?|(?<word>[^\s"]+)/gu)]
		.map(({ groups }) => foldCase((groups?.quoted ?? groups?.word ?? '').trim()))
		.filter((term) => term !== '');
	return [...new Set(terms)];
}

/** Whether a text that `foldCase` has folded has every piece. */
export function hasTerms(folded: string, terms: readonly string[]): boolean {
	return terms.every((term) => folded.includes(term));
}
