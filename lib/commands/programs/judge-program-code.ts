import { type Field, knownStart, knownText, lineText, shellText, textField } from '../shell-field.ts';
import { findProgram } from './find-program.ts';
import { codeText, isMadeByLine, judgeFileValue, type ValueContext } from './judge-value.ts';
import { languages } from './languages.ts';
import { optionValues } from './option-values.ts';
import { programInput } from './program-input.ts';
import type { ProgramRow } from './program-row.ts';
import { judgeCode } from './read-code.ts';

/** Modules of Python that run code from their arguments, or start a program from them. */
const STARTING_MODULE = /^(?:timeit|pdb|cProfile|profile|trace|runpy|code|asyncio|bdb|pydoc|webbrowser|pty)\b/;
/** With these words it runs no code of its input. */
const ONLY_REPORTS = /^(?:--version|--help|-V|-v|-h|--v8-options|--test|--run(?:=.*)?)$/;

/** For each row, the options whose values are not plain words. */
const valued = new WeakMap<ProgramRow, string>();

function valuedOptions(row: ProgramRow): string {
	const { runs, file, libraries, code, setting, values, hides } = row;
	const written = valued.get(row) ?? [runs, file, libraries, code, setting, values, hides].filter(Boolean).join(' ');
	valued.set(row, written);
	return written;
}

type Row = ProgramRow & { language: NonNullable<ProgramRow['language']> };

/** Whether a program runs code of a language. */
export const readsCode = (row: ProgramRow): row is Row => row.language !== undefined;

/** Judges the code for a program: from an option, a word, or its input. A file is not examined. */
export function judgeProgramCode(row: Row, words: readonly Field[], context: ValueContext): void {
	const { judge, setting } = context;
	const codes = row.code === undefined ? [] : optionValues(words, row.code, row.flags);
	for (const { value, isGuess } of codes) if (value && !isGuess) judgeText(codeText(value, setting), row, context);
	const all = plainWords(row, words);
	const plain = row.script !== undefined && knownText(all[0]) === row.script ? all.slice(1) : all;
	judgePlainWords(plain, codes.length > 0, row, words, context);
	if (row.codeIn === undefined || row.codeIn === 'first-word') return;
	if (languages[row.language].kind !== 'code') judgeInput(row, context);
	else if (row.interactive && optionValues(words, row.interactive, row.flags).length > 0) judgeInput(row, context);
	else if (codes.length === 0 && !words.some((word) => ONLY_REPORTS.test(knownText(word) ?? ''))) {
		judgeScript(plain[0], row, words, context);
	}
	if (row.language === 'gdb' && plain[0]) judge.words([plain[0]], setting);
}

function judgeText(text: string | undefined, { language }: Row, { fields, setting, judge }: ValueContext): void {
	if (text !== undefined) return judgeCode(language, { text, fields, setting, judge });
	judge.unknowable(fields, 'its code is not known', setting);
}

function judgePlainWords(
	plain: readonly Field[],
	hasCode: boolean,
	row: Row,
	words: readonly Field[],
	context: ValueContext,
): void {
	const { judge, setting } = context;
	const [first] = plain;
	for (const word of row.codeIn === 'words' ? plain : []) {
		judgeText(codeText(word, setting) ?? (isMadeByLine(word, setting) ? undefined : ''), row, context);
	}
	const hasFile = row.file !== undefined && optionValues(words, row.file, row.flags).length > 0;
	if (row.codeIn === 'first-word' && first && !hasCode && !hasFile) judgeText(codeText(first, setting), row, context);
	if (row.language !== 'perl' && row.language !== 'ruby') return;
	// These programs run a file with such a name ending as a program.
	for (const word of plain) {
		const [, before, behind] = /^\s*\|(.*)$|^(.*)\|\s*$/s.exec(lineText(word)) ?? [];
		if (before ?? behind) judge.script(before ?? behind ?? '', setting);
	}
}

/** Judges what a program runs without an option for code: a module, a file, or its input. */
function judgeScript(first: Field | undefined, row: Row, words: readonly Field[], context: ValueContext): void {
	const module = words.findIndex((word) => /^-m/.test(knownStart(word)));
	if (module >= 0 && (!first || module < words.indexOf(first))) judgeModule(words.slice(module), context);
	else if (first && knownText(first) !== '-') {
		context.judge.mayRun(shellText([first]), context.setting);
		judgeFileValue(first, context);
	} else judgeInput(row, context);
}

/** `python3 -m timeit CODE` */
function judgeModule([option, ...words]: readonly Field[], { fields, setting, judge }: ValueContext): void {
	const attached = option && knownText(option)?.slice(2);
	const [name, ...rest] = attached ? [textField(attached), ...words] : words;
	if (!name) return;
	const module = knownText(name);
	if (module === undefined || STARTING_MODULE.test(module)) {
		judge.unknowable(fields, 'the module that it runs starts others', setting);
	} else if (findProgram(module.toLowerCase())) judge.words([name, ...rest], setting);
	// A program by its module: `python3 -m pip`.
	else judge.mayRun(shellText([name, ...rest]), setting);
}

/** A language runs everything that it reads; a program of commands may be left to a person at its terminal. */
function judgeInput(row: Row, context: ValueContext): void {
	const { fields, setting, judge } = context;
	const input = programInput(setting);
	const isCode = languages[row.language].kind === 'code';
	const isJob = row.language === 'crontab' && !fields.some((word) => knownText(word) === '-');
	if (input === 'unknown' ? !isJob || fields.length === 1 : input === 'none' && isCode) {
		return judge.unknowable(fields, 'it runs what it reads from its input', setting);
	}
	for (const text of typeof input === 'string' ? [] : input) judgeText(text, row, context);
}

/** Words that are neither options nor the values of options in the row. */
function plainWords(row: ProgramRow, words: readonly Field[]): Field[] {
	const taken = new Set(optionValues(words, valuedOptions(row), row.flags).map(({ value }) => value));
	const end = words.findIndex((word) => knownText(word) === '--');
	return words.filter((word, index) => {
		if (end >= 0 && index > end) return true;
		return !taken.has(word) && (knownText(word) === '-' || !/^[-+]/.test(knownStart(word)));
	});
}
