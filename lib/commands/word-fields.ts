import type { Word, WordPart } from 'unbash';
import { type Field, knownText, MARKS, unknownField, withoutMarks } from './shell-field.ts';
import { foundProgram, printsFolder, programIn } from './told-by-programs.ts';

const MAX_READINGS = 16;
/** Where a word ends, and quotes with nothing in them, which are a word. */
const BREAK = '\ufdd6';
const NOTHING = '\ufdd7';

/** By convention a folder: one word, though not one that the line tells. */
const FOLDER_NAME =
	/^(?:HOME|PWD|OLDPWD|TMPDIR|VIRTUAL_ENV|GITHUB_WORKSPACE|GOPATH|GOBIN|BUN_INSTALL|[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:HOME|DIR|ROOT|PREFIX))$/;

/** By convention a program that the person chose; a shell is none of these. */
const PROGRAM_NAME =
	/^(?:NODE|NPM|NPX|PYTHON[23]?|PIP[23]?|CC|CXX|LD|AR|MAKE|CMAKE|GO|CARGO|RUSTC|JAVA|RUBY|PHP|PERL)$/;

/** What is known of variables at one place of a text. */
export interface KnownVariables {
	/** The texts that a variable can have, or undefined. */
	get(name: string): readonly string[] | undefined;
	/** Whether nothing here may have set it. */
	isUntouched(name: string): boolean;
	/** Whether nothing here puts a function in the place of a program; what a sourced file defines is not looked into. */
	isNoFunction(name: string): boolean;
}

/**
 * What words become when the shell expands them: each of their possible readings as a list of fields. There is more than
 * one where a variable may have several values; a reading may be empty. Too many come to a word that is not known.
 */
export function expandWords(words: readonly Word[], variables: KnownVariables): Field[][] {
	let all: Field[][] = [[]];
	for (const word of words) {
		const found = readings(word, variables, true).map((text) => fieldsOf(text, word.text));
		const fits = all.length * found.length <= MAX_READINGS;
		all = append(all, fits ? found : [[unknownField(word.text, true)]]);
	}
	return all;
}

/** Each list followed by each of the others; a line has many words, so that one reading is not copied for each. */
function append(lists: Field[][], next: readonly Field[][]): Field[][] {
	const [only] = next;
	if (next.length !== 1 || !only) return lists.flatMap((before) => next.map((after) => [...before, ...after]));
	for (const list of lists) for (const item of only) list.push(item);
	return lists;
}

function fieldsOf(reading: string, raw: string): Field[] {
	const words = reading.split(BREAK).filter(Boolean);
	return words.map((word) => {
		const text = word.replaceAll(NOTHING, '');
		return { raw, text: word.length > 1 ? text.replaceAll(MARKS.perhapsFolder, MARKS.folder) : text };
	});
}

/** The texts that a word can have where it is not split: as a value, a file, or the text for a shell. */
export function wordValues(word: Word, variables: KnownVariables): string[] | undefined {
	return textsOf(readings(word, variables, false));
}

/** The texts that parts in double quotes can have: of a here-document. */
export function partsValues(parts: readonly WordPart[], variables: KnownVariables): string[] | undefined {
	// Quotes in an expansion are not those of a word there.
	if (parts.some(({ type, text }) => type === 'ParameterExpansion' && /['"\\]/.test(text))) return undefined;
	return textsOf(combine(parts, variables, false));
}

function textsOf(found: readonly string[]): string[] | undefined {
	const texts = found.map((reading) => knownText({ raw: '', text: reading.replaceAll(NOTHING, '') }));
	return texts.every((text) => text !== undefined) ? texts : undefined;
}

function readings(word: Word, variables: KnownVariables, splits: boolean): string[] {
	if (word.parts) return combine(word.parts, variables, splits);
	return [tilde(word, variables) ?? ansiText(word)];
}

/** `~`, `~+`, `~-` are what a variable holds, so that alone, or where the line sets that, they may be any program. */
function tilde({ text: written, value }: Word, variables: KnownVariables): string | undefined {
	const [whole, sign = ''] = /^~([+-]?)\d*(?=\/|$)/.exec(written) ?? [];
	if (whole === undefined) return undefined;
	const isFolder = variables.isUntouched(sign === '+' ? 'PWD' : sign === '-' ? 'OLDPWD' : 'HOME');
	if (isFolder && whole !== written) return undefined;
	return (isFolder ? MARKS.folder : MARKS.oneWord) + withoutMarks(value.slice(whole.length));
}

function combine(parts: readonly WordPart[], variables: KnownVariables, splits: boolean): string[] {
	if (parts.length === 0) return [NOTHING];
	let all = [''];
	for (const part of parts) {
		const found = partReadings(part, variables, splits);
		const next = all.length * found.length <= MAX_READINGS ? found : [MARKS.anything];
		all = all.flatMap((before) => next.map((after) => before + after));
	}
	return all;
}

function partReadings(part: WordPart, variables: KnownVariables, splits: boolean): string[] {
	switch (part.type) {
		case 'Literal':
		case 'SingleQuoted':
			return [literal(part.value)];
		case 'AnsiCQuoted':
			return [ansiText(part)];
		case 'Glob':
		case 'ExtendedGlob':
		case 'BraceExpansion':
			return [splits ? MARKS.files : literal(part.text)];
		case 'DoubleQuoted':
		case 'LocaleString':
			return combine(part.parts, variables, false);
		case 'SimpleExpansion':
		case 'ParameterExpansion':
			return variable(part, variables, splits);
		case 'ProcessSubstitution':
		case 'ArithmeticExpansion':
			return [MARKS.oneWord];
		case 'CommandExpansion':
			return printed(part.text, variables, splits);
	}
}

/** Bash reads `\x{61}` as it reads `\x61`; the parser does not, so what becomes of it is not known. */
const ansiText = ({ text, value }: { text: string; value: string }): string =>
	text.includes("$'") && text.includes('\\x{') ? MARKS.oneWord : literal(value);

const literal = (value: string): string => (value === '' ? NOTHING : withoutMarks(value));

/** An unquoted value is split at blanks, and what looks like a pattern of file names is one. */
const split = (value: string): string =>
	withoutMarks(value)
		.replace(/[ \t\n]+/g, BREAK)
		.replace(/[*?[]/g, MARKS.files);

/** What a substitution comes to, where the line tells that much of it; a program that is not found leaves nothing. */
function printed(substitution: string, variables: KnownVariables, splits: boolean): string[] {
	if (variables.isNoFunction(programIn(substitution))) {
		const found = foundProgram(substitution);
		if (found !== undefined) return splits ? [found, ''] : [found];
		if (printsFolder(substitution)) return [splits ? MARKS.perhapsFolder : MARKS.folder];
	}
	return [splits ? MARKS.anything : MARKS.oneWord];
}

/** `$NAME`, `${NAME}`, `${NAME:-default}`; of every other form nothing is known. */
function variable(part: WordPart, variables: KnownVariables, splits: boolean): string[] {
	// Within quotes "$@" alone may be several words.
	const unknown = [splits || part.text.includes('@') ? MARKS.anything : MARKS.oneWord];
	const { name, otherwise } = nameIn(part);
	if (name === undefined || (splits && !variables.isUntouched('IFS'))) return unknown;
	const isTheirs = variables.isUntouched(name);
	if (isTheirs && !otherwise && FOLDER_NAME.test(name)) {
		return [splits && !/^(?:HOME|PWD)$/.test(name) ? MARKS.perhapsFolder : MARKS.folder];
	}
	const text = splits ? split : literal;
	const own = isTheirs && PROGRAM_NAME.test(name) ? [MARKS.program] : variables.get(name)?.map(text);
	const defaults = otherwise ? wordValues(otherwise, variables)?.map(text) : [];
	return own && defaults ? [...own, ...defaults] : unknown;
}

function nameIn(part: WordPart): { name?: string; otherwise?: Word } {
	if (part.type === 'SimpleExpansion') return { name: part.text.slice(1) };
	if (part.type !== 'ParameterExpansion' || part.prefix || part.index) return {};
	const { operation, parameter: name } = part;
	if (!operation) return { name };
	const isDefault = operation.type === 'Default' && ['-', ':-'].includes(operation.operator);
	return isDefault ? { name, otherwise: operation.operand } : {};
}
