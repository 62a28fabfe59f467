import type { Word, WordPart } from 'unbash';
import { type Field, knownText, MARKS, unknownField, withoutMarks } from './shell-field.ts';
import { foundProgram, printsFolder, programIn } from './substitution-output.ts';

const MAX_READINGS = 16;
/** The end of a word, and empty quotes, which are a word. */
const BREAK = '\ufdd6';
const NOTHING = '\ufdd7';

/** Names of variables that by convention hold a folder: one word, though unknown. */
const FOLDER_NAME =
	/^(?:HOME|PWD|OLDPWD|TMPDIR|VIRTUAL_ENV|GITHUB_WORKSPACE|GOPATH|GOBIN|BUN_INSTALL|[A-Z][A-Z\d]*(?:_[A-Z\d]+)*_(?:HOME|DIR|ROOT|PREFIX))$/;

/** Names of variables that by convention hold a program chosen by the person; shells are not among them. */
const PROGRAM_NAME =
	/^(?:NODE|NPM|NPX|PYTHON[23]?|PIP[23]?|CC|CXX|LD|AR|MAKE|CMAKE|GO|CARGO|RUSTC|JAVA|RUBY|PHP|PERL)$/;

/** What is known about variables at one position of a text. */
export interface KnownVariables {
	/** The possible texts of a variable, or undefined. */
	get(name: string): readonly string[] | undefined;
	/** Whether nothing in this text may have set it. */
	isUntouched(name: string): boolean;
	/** Whether nothing in this text defines a function of this name; the definitions of a sourced file are not examined. */
	isNoFunction(name: string): boolean;
}

/**
 * The fields to which the shell expands words: each possible result as a list of fields. There are several if a variable may have
 * several values; one may be empty. Too many become one unknown word.
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

/** Each list followed by each of the others; since a line has many words, a single result is not copied. */
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

/** The possible texts of a word that is not split: as a value, a file, or the text for a shell. */
export function wordValues(word: Word, variables: KnownVariables): string[] | undefined {
	return textsOf(readings(word, variables, false));
}

/** The possible texts of the parts in double quotes, as of a here-document. */
export function partsValues(parts: readonly WordPart[], variables: KnownVariables): string[] | undefined {
	// Quotes in an expansion there are not those of a word.
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

/** `~`, `~+` and `~-` are values of variables, so alone, or if the line sets these, they may be any program. */
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

/** Bash reads `\x{61}` as `\x61`; the parser does not, so the result is unknown. */
const ansiText = ({ text, value }: { text: string; value: string }): string =>
	text.includes("$'") && text.includes('\\x{') ? MARKS.oneWord : literal(value);

const literal = (value: string): string => (value === '' ? NOTHING : withoutMarks(value));

/** An unquoted value is split at blanks, and may be a file pattern. */
const split = (value: string): string =>
	withoutMarks(value)
		.replace(/[ \t\n]+/g, BREAK)
		.replace(/[*?[]/g, MARKS.files);

/** The output of a substitution, if the line determines it; a program that is not found prints nothing. */
function printed(substitution: string, variables: KnownVariables, splits: boolean): string[] {
	if (variables.isNoFunction(programIn(substitution))) {
		const found = foundProgram(substitution);
		if (found !== undefined) return splits ? [found, ''] : [found];
		if (printsFolder(substitution)) return [splits ? MARKS.perhapsFolder : MARKS.folder];
	}
	return [splits ? MARKS.anything : MARKS.oneWord];
}

/** `$NAME`, `${NAME}`, `${NAME:-default}`; any other form is unknown. */
function variable(part: WordPart, variables: KnownVariables, splits: boolean): string[] {
	// Within quotes only "$@" may be several words.
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
