import { isJson } from '../json/json.ts';
import { nearestWord } from './near-words.ts';
import { printable } from './printable.ts';

const MOST_REPORTED = 10;

/** The keys of a section that are not its settings, each with the one that may have been meant. */
export function misspeltKeys(section: string, value: unknown, known: readonly string[]): string[] {
	const given = isJson(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
	return given.slice(0, MOST_REPORTED).map((key) => {
		const meant = nearestWord(key, known);
		const hint = meant === undefined ? 'it is ignored' : `did you mean ${section}.${meant}?`;
		return `${section}.${printable(key, 100)} is no setting; ${hint}`;
	});
}
