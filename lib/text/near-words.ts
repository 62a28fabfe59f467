import { isJson } from '../json/json.ts';
import { printable } from './printable.ts';

const MAX_COMPARED = 60;

function distance(left: string, right: string): number {
	let row = Array.from({ length: right.length + 1 }, (_, index) => index);
	for (const [i, letter] of [...left].entries()) {
		const next = [i + 1];
		for (const [j, other] of [...right].entries()) {
			const change = (row[j] ?? 0) + (letter === other ? 0 : 1);
			next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
		}
		row = next;
	}
	return row.at(-1) ?? 0;
}

/** The words that may have been meant, nearest first. */
export function nearWords(word: string, known: readonly string[]): string[] {
	return known
		.map((name) => ({ name, far: name.startsWith(word) ? 0 : distance(word.slice(0, MAX_COMPARED), name) }))
		.filter(({ name, far }) => far <= Math.min(2, name.length - 1) && far * 2 < word.length)
		.sort((left, right) => left.far - right.far)
		.map(({ name }) => name);
}

export const nearestWord = (word: string, known: readonly string[]): string | undefined => nearWords(word, known)[0];

const MAX_REPORTED = 10;

/** The keys of a section that are not its settings, each with the one that may have been meant. */
export function misspeltKeys(section: string, value: unknown, known: readonly string[]): string[] {
	const given = isJson(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
	return given.slice(0, MAX_REPORTED).map((key) => {
		const meant = nearestWord(key, known);
		const hint = meant === undefined ? 'it is ignored' : `did you mean ${section}.${meant}?`;
		return `${section}.${printable(key, 100)} is no setting; ${hint}`;
	});
}
