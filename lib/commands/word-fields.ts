import type { Word, WordPart } from 'unbash';
import { isAlwaysFolder } from './environment-names.ts';
import { type Field, knownText, type Piece, unknownField } from './shell-field.ts';
import { foundProgram, printsFolder, programIn } from './told-by-programs.ts';

const MAX_READINGS = 16;
const ANYTHING = { kind: 'unknown', splits: true, isPath: false } as const;
const ONE_WORD = { kind: 'unknown', splits: false, isPath: false } as const;
const A_PATH = { kind: 'unknown', splits: false, isPath: true } as const;
/** Vanishes where it is empty and stands alone. */
const PERHAPS_A_PATH = { kind: 'unknown', splits: true, isPath: true } as const;
const A_PROGRAM = { kind: 'unknown', splits: true, isPath: false, isProgram: true } as const;

/** What is known of variables at one place of a text. */
export interface KnownVariables {
	/** The texts that a variable can have, or undefined. */
	get(name: string): readonly string[] | undefined;
	/** Whether nothing here may have set it. */
	isUntouched(name: string): boolean;
	/** Whether it is a folder of the environment that nothing here has set. */
	isFolder(name: string): boolean;
	/** Whether it is a program of the environment that nothing here has set. */
	isProgram(name: string): boolean;
	/** Whether nothing here puts a function in the place of a program; what a sourced file defines is not looked into. */
	isNoFunction(name: string): boolean;
	/** Whether words are still split where a shell does it from its start. */
	readonly splitsPlainly: boolean;
}

/** What a part of a word comes to: pieces and places where a word ends. */
type Item = Piece | 'break';
type Items = readonly Item[];

/**
 * What a word becomes when the shell expands it: each of its possible readings as a list of fields. There is more than
 * one where a variable may have several values; a reading may be empty.
 */
export function expandWord(word: Word, variables: KnownVariables): Field[][] {
	return readings(word, variables, true).map((items) => fieldsOf(items, word.text));
}

/** What words become; where that could be too many readings, a word with several becomes an unknown one. */
export function expandWords(words: readonly Word[], variables: KnownVariables): Field[][] {
	let all: Field[][] = [[]];
	for (const word of words) {
		const found = expandWord(word, variables);
		const fits = all.length * found.length <= MAX_READINGS;
		const next = fits ? found : [[unknownField(word.text, true)]];
		all = append(all, next);
	}
	return all;
}

/** Each list followed by each of the others; a line has many words, so that one reading is not copied for each. */
function append<T>(lists: T[][], next: readonly (readonly T[])[]): T[][] {
	const [only] = next;
	if (next.length !== 1 || !only) return lists.flatMap((before) => next.map((after) => [...before, ...after]));
	for (const list of lists) for (const item of only) list.push(item);
	return lists;
}

/** The texts that a word can have where it is not split: as a value, a file, or the text for a shell. */
export function wordValues(word: Word, variables: KnownVariables): string[] | undefined {
	const values = readings(word, variables, false).map((items) => knownText({ raw: '', pieces: items.filter(isPiece) }));
	return values.every((value) => value !== undefined) ? values : undefined;
}

/** The texts that parts in double quotes can have: of a here-document. */
export function partsValues(parts: readonly WordPart[], variables: KnownVariables): string[] | undefined {
	// Quotes in an expansion are not those of a word there.
	if (parts.some(({ type, text }) => type === 'ParameterExpansion' && /['"\\]/.test(text))) return undefined;
	const values = combine(parts, (part) => quotedItems(part, variables)).map((items) =>
		knownText({ raw: '', pieces: items.filter(isPiece) }),
	);
	return values.every((value) => value !== undefined) ? values : undefined;
}

const isPiece = (item: Item): item is Piece => item !== 'break';

function readings(word: Word, variables: KnownVariables, splits: boolean): Items[] {
	const tilde = tildeItems(word, variables);
	if (tilde) return [tilde];
	if (!word.parts) return [[{ kind: 'text', text: word.value }]];
	return combine(word.parts, (part) => partItems(part, variables, splits));
}

/** `~`, `~+`, `~-` are what a variable holds, so that alone, or where the line sets that, they may be any program. */
function tildeItems({ text: written, value, parts }: Word, variables: KnownVariables): Items | undefined {
	const [whole, sign = ''] = /^~([+-]?)\d*(?=\/|$)/.exec(written) ?? [];
	if (whole === undefined || parts) return undefined;
	const isFolder = variables.isFolder(sign === '+' ? 'PWD' : sign === '-' ? 'OLDPWD' : 'HOME');
	if (isFolder && whole !== written) return undefined;
	const rest = value.slice(whole.length);
	return [isFolder ? A_PATH : ONE_WORD, ...(rest === '' ? [] : [text(rest)])];
}

function combine(parts: readonly WordPart[], itemsOf: (part: WordPart) => Items[]): Items[] {
	let all: Item[][] = [[]];
	for (const part of parts) {
		const found = itemsOf(part);
		const next: Items[] = all.length * found.length <= MAX_READINGS ? found : [[ANYTHING]];
		all = append(all, next);
	}
	return all;
}

/** A word ends at each break and where an unknown value may split it; an empty quoted text is a word too. */
function fieldsOf(items: Items, raw: string): Field[] {
	const fields: Field[] = [];
	let open: Piece[] | undefined;
	for (const item of [...items, 'break' as const]) {
		if (item !== 'break') {
			open ??= [];
			open.push(item);
		} else if (open) {
			fields.push({ raw, pieces: open.length > 1 ? open.map(asPartOfPath) : open });
			open = undefined;
		}
	}
	return fields;
}

const asPartOfPath = (piece: Piece): Piece => (piece.kind === 'unknown' && piece.isPath ? A_PATH : piece);

function partItems(part: WordPart, variables: KnownVariables, splits: boolean): Items[] {
	switch (part.type) {
		case 'Literal':
		case 'SingleQuoted':
		case 'AnsiCQuoted':
			return [[{ kind: 'text', text: part.value }]];
		case 'Glob':
			return splits ? [[{ kind: 'glob', glob: part.kind === 'star' ? 'any' : 'one' }]] : [[text(part.text)]];
		case 'ExtendedGlob':
		case 'BraceExpansion':
			return [[splits ? { kind: 'glob', glob: 'any' } : text(part.text)]];
		case 'DoubleQuoted':
		case 'LocaleString':
			if (part.parts.length === 0) return [[text('')]];
			return combine(part.parts, (child) => quotedItems(child, variables));
		case 'SimpleExpansion':
		case 'ParameterExpansion':
			return splits ? unquotedItems(part, variables) : quotedItems(part, variables);
		case 'ProcessSubstitution':
		case 'ArithmeticExpansion':
			return [[ONE_WORD]];
		case 'CommandExpansion':
			return printed(part.text, variables, splits);
	}
}

const text = (value: string): Piece => ({ kind: 'text', text: value });

/** What a substitution comes to, where the line tells that much of it; a program that is not found leaves nothing. */
function printed(substitution: string, variables: KnownVariables, splits: boolean): Items[] {
	if (variables.isNoFunction(programIn(substitution))) {
		const found = foundProgram(substitution);
		if (found !== undefined) return splits ? [[text(found)], []] : [[text(found)]];
		if (printsFolder(substitution)) return [[splits ? PERHAPS_A_PATH : A_PATH]];
	}
	return [[splits ? ANYTHING : ONE_WORD]];
}

/** A part within double quotes: one word whatever it holds, only "$@" may be several. */
function quotedItems(part: WordPart, variables: KnownVariables): Items[] {
	if (part.type === 'Literal') return [[text(part.value)]];
	if (part.type === 'CommandExpansion') return printed(part.text, variables, false);
	if (part.type !== 'SimpleExpansion' && part.type !== 'ParameterExpansion') return [[ONE_WORD]];
	const name = nameOf(part);
	if (name !== undefined && variables.isFolder(name)) return [[A_PATH]];
	if (isProgramName(part, variables)) return withDefault(part, variables, [A_PROGRAM]);
	const values = valuesOf(part, variables);
	return values?.map((value) => [text(value)]) ?? [[part.text.includes('@') ? ANYTHING : ONE_WORD]];
}

function unquotedItems(part: WordPart, variables: KnownVariables): Items[] {
	const name = nameOf(part);
	if (name !== undefined && variables.isFolder(name) && variables.splitsPlainly) {
		return [[isAlwaysFolder(name) ? A_PATH : PERHAPS_A_PATH]];
	}
	if (isProgramName(part, variables)) return withDefault(part, variables, [A_PROGRAM]);
	const values = variables.splitsPlainly ? valuesOf(part, variables) : undefined;
	return values?.map(split) ?? [[ANYTHING]];
}

/** `$NAME` and `${NAME}`: the name; undefined for every other form. */
function nameOf(part: WordPart): string | undefined {
	if (part.type === 'SimpleExpansion') return part.text.slice(1);
	if (part.type !== 'ParameterExpansion' || part.prefix || part.index || part.operation) return undefined;
	return part.parameter;
}

/** `$NODE`, `${NODE:-node}`. */
function isProgramName(part: WordPart, variables: KnownVariables): boolean {
	if (part.type === 'SimpleExpansion') return variables.isProgram(part.text.slice(1));
	if (part.type !== 'ParameterExpansion' || part.prefix || part.index) return false;
	const { operation } = part;
	const isDefault = operation?.type === 'Default' && ['-', ':-'].includes(operation.operator);
	return (!operation || isDefault) && variables.isProgram(part.parameter);
}

function withDefault(part: WordPart, variables: KnownVariables, itself: Items): Items[] {
	const { operation } = part.type === 'ParameterExpansion' ? part : {};
	if (operation?.type !== 'Default') return [itself];
	const otherwise = wordValues(operation.operand, variables);
	return otherwise ? [itself, ...otherwise.map(split)] : [[ANYTHING]];
}

function valuesOf(part: WordPart, variables: KnownVariables): readonly string[] | undefined {
	const name = nameOf(part);
	if (name !== undefined) return variables.get(name);
	if (part.type !== 'ParameterExpansion' || part.prefix || part.index) return undefined;
	const { operation, parameter } = part;
	if (operation?.type !== 'Default' || !['-', ':-'].includes(operation.operator)) return undefined;
	const values = variables.get(parameter);
	const otherwise = values && wordValues(operation.operand, variables);
	return otherwise && [...values, ...otherwise];
}

/** An unquoted value is split at blanks, and what looks like a pattern of file names is one. */
function split(value: string): Items {
	return value.split(/([ \t\n]+)/).flatMap((chunk): Items => {
		if (chunk === '') return [];
		if (/^[ \t\n]/.test(chunk)) return ['break'];
		return chunk.split(/([*?[])/).flatMap((piece): Items => {
			if (piece === '') return [];
			if (piece === '?') return [{ kind: 'glob', glob: 'one' }];
			return [piece === '*' || piece === '[' ? { kind: 'glob', glob: 'any' } : text(piece)];
		});
	});
}
