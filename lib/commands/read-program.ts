import type { CommandReader, Judge, Setting } from './judging.ts';
import { commandName } from './program-name.ts';
import { judgeProgramCode, readsCode } from './programs/judge-program-code.ts';
import {
	codeText,
	isMadeByLine,
	judgeCommandValue,
	judgeFileValue,
	madeOption,
	type ValueContext,
} from './programs/judge-value.ts';
import { type OptionValue, optionValues } from './programs/option-values.ts';
import type { ProgramRow } from './programs/program-row.ts';
import { judgeCode } from './programs/read-code.ts';
import { SHELL_SCRIPT } from './read-signalbox.ts';
import { type Field, knownStart, knownText, lineText, shellText, textField } from './shell-field.ts';

/** How many words of a program chosen by the environment may be a command of their own. */
const CHOSEN_WORDS = 8;
/** Cost of searching words: one step for this many words. */
const WORDS_PER_STEP = 2;

/**
 * What a program other than a shell is made to run, by its row in the table: a command in plain text is judged, anything else in
 * such a place is a question.
 */
export function readProgram(row: ProgramRow, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const context: ValueContext = { fields, setting, judge };
	const words = fields.slice(1);
	judge.budget.spend(words.length / WORDS_PER_STEP);
	judgeOptions(row, words, context);
	for (const [index, word] of words.entries()) {
		if (row.wordsAreFiles) judgeFileWord(word, context);
		if (row.begins) judgePrefixed(row.begins, lineText(word), context);
		if (row.words) judgeAnyWord(index, words, context);
	}
	if (readsCode(row)) judgeProgramCode(row, words, context);
	if (row.language === 'javascript') {
		const script = words.findIndex((word) => commandName(lineText(word)) === SHELL_SCRIPT);
		if (script >= 0) judge.words(words.slice(script), setting);
	}
	if (!row.copies && madeOption(words, setting))
		judge.unknowable(fields, 'the line makes a word that may be an option of it', setting);
}

function judgeOptions(row: ProgramRow, words: readonly Field[], context: ValueContext): void {
	const { fields, setting, judge } = context;
	const given = (written = ''): OptionValue[] => (written === '' ? [] : optionValues(words, written, row.flags));
	for (const { value, isGuess } of given(row.runs)) judgeCommandValue(value, context, isGuess);
	for (const { value } of given(row.pipes)) if (value && /^\s*[|!]/.test(value.text)) judgeCommandValue(value, context);
	for (const { value } of given(row.starts)) judgeStarted(value, context);
	for (const { value, isGuess } of [...given(row.file), ...given(row.libraries)]) {
		if (!isGuess) judgeFileValue(value, context);
	}
	for (const { value } of given(row.setting)) judgeSetting(value, row, context);
	if (given(row.hides).some(({ isGuess }) => !isGuess)) {
		judge.unknowable(fields, 'one of its options runs what the line does not tell', setting);
	}
	for (const { value, next } of given(row.rest)) {
		const at = value && words[next - 1] === value ? next - 1 : next;
		judge.words(at === next && value ? [value, ...words.slice(at)] : words.slice(at), setting);
	}
}

function judgeStarted(value: Field | undefined, context: ValueContext): void {
	judgeCommandValue(value, context, true);
	if (!value || !isMadeByLine(value, context.setting)) return;
	context.judge.unknowable(context.fields, 'the line makes the name of a program that it starts', context.setting);
}

/** A setting, `key=value`, `key value` or `section:name:key=value`. */
function judgeSetting(value: Field | undefined, { keys }: ProgramRow, context: ValueContext): void {
	if (!value || !keys) return;
	const [, key = '', sign = ''] = /^\s*"?([^\s="]+)("?\s*[\s=]\s*)?/.exec(knownStart(value)) ?? [];
	if (!keys.test(key)) return;
	if (/^\S*=\s*\/dev\//.test(knownStart(value)))
		return judgeFileValue({ raw: value.raw, text: knownStart(value).replace(/^\S*=\s*/, '') }, context);
	const from = knownStart(value).indexOf(key) + key.length + sign.length;
	judgeCommandValue({ raw: value.raw, text: value.text.slice(from).replace(/^"(.*)"$/s, '$1') }, context);
}

/** A file that the line creates, or input, alone or attached to an option: `--config=/dev/stdin`, `@<(x)`. */
const MADE_FILE = /^(?:.*["'=:@,]|-\w)?(?:\/[./]*(?:dev\/(?!null|std(?:out|err))|proc\/)|data:)/s;

function judgeFileWord(word: Field, { fields, setting, judge }: ValueContext): void {
	if (!/^(?:[^\s<]*[=:@])?<\(/.test(word.raw) && !MADE_FILE.test(word.text) && !isMadeByLine(word, setting)) return;
	judge.unknowable(fields, 'the file that says what it runs is made by the line', setting);
}

/** `EXEC:x,pty`, `:sftp,ssh="x":`, `#(x)` */
function judgePrefixed(begins: RegExp, text: string, { setting, judge }: ValueContext): void {
	const [begun] = begins.exec(text) ?? [];
	if (begun === undefined) return;
	const behind = text.slice(text.indexOf(begun) + begun.length);
	judge.script(begun.endsWith('(') ? behind.replace(/\).*$/s, '') : behind.replace(/^[\w:.\]-]*=/, ''), setting);
	if (/["',@]/.test(behind)) judge.mayRun(behind.replace(/^["']/, '').replace(/["',@].*$/s, ''), setting);
}

/** Words of which any may be a command, alone or with those after it. */
function judgeAnyWord(at: number, words: readonly Field[], { setting, judge }: ValueContext): void {
	const text = lineText(words[at] ?? textField(''));
	if (text.startsWith('-')) return;
	if (/\s/.test(text)) judge.mayRun(text.replace(/^\S+\s+/, ''), setting);
	if (text.includes(',')) judge.mayRun(text.replaceAll(',', '\n'), setting);
	if (at < CHOSEN_WORDS) judge.mayRun(shellText(words.slice(at)), setting);
}

/** A program chosen by the environment may be any, or none at all. */
export const readChosen: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(1);
	for (const [position, field] of words.entries()) {
		const text = codeText(field, setting) ?? '';
		if (position < CHOSEN_WORDS) judge.mayRun(shellText(words.slice(position)), setting);
		judge.mayRun(lineText(field), setting);
		if (/^-\w*[ceErp]$|^--(?:eval|print|run)$/.test(knownText(words[position - 1]) ?? '')) {
			for (const name of ['python', 'javascript', 'perl', 'ruby', 'php'] as const) {
				judgeCode(name, { text, fields, setting, judge });
			}
		}
	}
};
