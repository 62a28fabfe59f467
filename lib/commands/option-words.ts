import {
	type Field,
	isChosenProgram,
	isOneWord,
	isSurelyPlain,
	knownStart,
	knownText,
	textField,
} from './shell-field.ts';
import type { Wrapper } from './wrapper-table.ts';

export interface Option {
	name: string;
	value?: Field;
}

/** How the words before a command ended. */
export interface OptionsRead {
	options: Option[];
	rest: readonly Field[];
	/** Why the rest is not known: a word with an unknown value, or an unknown option. */
	stopped?: 'unknown-word' | 'unknown-option';
}

/** Reads a wrapper's options, up to its first plain word. */
export function readOptions(fields: readonly Field[], wrapper: Wrapper): OptionsRead {
	const options: Option[] = [];
	let at = 0;
	for (let field = fields[0]; field; field = fields[at]) {
		if (knownText(field) === '--') return { options, rest: fields.slice(at + 1) };
		const read = readWord(field, wrapper);
		if (read === 'plain') break;
		if (typeof read === 'string') return { options, rest: fields.slice(at), stopped: read };
		const value = read.wantsNext ? fields[at + 1] : undefined;
		if (value && !isOneWord(value)) return { options, rest: fields.slice(at), stopped: 'unknown-word' };
		const last = read.found.at(-1);
		options.push(...read.found.slice(0, -1), ...(last ? [{ ...last, ...(value && { value }) }] : []));
		at += read.wantsNext ? 2 : 1;
	}
	return { options, rest: fields.slice(at) };
}

function readWord(
	field: Field,
	{ short = '', long = '' }: Wrapper,
): WordRead | 'plain' | 'unknown-word' | 'unknown-option' {
	const word = knownText(field);
	if (word === undefined) {
		if (isSurelyPlain(field) || isChosenProgram(field)) return 'plain';
		const isOption = /^--[\w-]+=/.test(knownStart(field)) && isOneWord(field);
		return isOption ? { found: [], wantsNext: false } : 'unknown-word';
	}
	if (!word.startsWith('-') || word === '-') return 'plain';
	return (word.startsWith('--') ? longOption(word, long.split(' ')) : shortOptions(word, short)) ?? 'unknown-option';
}

interface WordRead {
	found: Option[];
	/** The last one's value is the next word. */
	wantsNext: boolean;
}

function longOption(word: string, known: readonly string[]): WordRead | undefined {
	const [given = '', value] = splitOnce(word.slice(2));
	const full = fullName(given, known);
	const name = full?.replace(/=$/, '') ?? given;
	if (value !== undefined) return { found: [{ name, value: textField(value) }], wantsNext: false };
	return full === undefined ? undefined : { found: [{ name }], wantsNext: full.endsWith('=') };
}

/** The full option of a name: getopt accepts an unambiguous prefix. */
function fullName(given: string, known: readonly string[]): string | undefined {
	const exact = known.find((name) => name.replace(/=$/, '') === given);
	if (exact !== undefined || given === '') return exact;
	const begun = known.filter((name) => name.startsWith(given));
	return begun.length === 1 ? begun[0] : undefined;
}

function splitOnce(text: string): [string, string?] {
	const at = text.indexOf('=');
	return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function shortOptions(word: string, known: string): WordRead | undefined {
	const found: Option[] = [];
	for (let at = 1; at < word.length; at += 1) {
		const name = word[at] ?? '';
		const index = name === ':' ? -1 : known.indexOf(name);
		if (index < 0) return undefined;
		if (known[index + 1] !== ':') {
			found.push({ name });
			continue;
		}
		const value = word.slice(at + 1);
		if (value !== '' || known[index + 2] === ':') {
			return { found: [...found, { name, value: textField(value) }], wantsNext: false };
		}
		return { found: [...found, { name }], wantsNext: true };
	}
	return { found, wantsNext: false };
}
