import type { CommandReader } from './judging.ts';
import { findProgram } from './programs/find-program.ts';
import { judgeProgramCode } from './programs/judge-program-code.ts';
import { codeText, judgeCommandValue, judgeFileValue, type ValueContext } from './programs/judge-value.ts';
import { isMadeByLine, madeOption } from './programs/made-by-line.ts';
import { type OptionValue, optionValues } from './programs/option-values.ts';
import type { ProgramRow } from './programs/program-row.ts';
import { judgeCode } from './programs/read-code.ts';
import { SHELL_SCRIPT } from './read-signalbox.ts';
import { commandName } from './restriction-pattern.ts';
import { type Field, knownStart, knownText, lineText, shellText } from './shell-field.ts';

/** How many words of a program that the environment chose may be a command of their own. */
const CHOSEN_WORDS = 8;
/** What looking through words costs: a step for so many of them. */
const WORDS_PER_STEP = 2;

/**
 * What a program that is no shell is told to run, by its row in the table: a command in plain text is judged, anything
 * else in such a place is a question.
 */
export const readProgram: CommandReader = (fields, setting, judge) => {
	const row = findProgram(commandName(knownText(fields[0]) ?? ''));
	if (!row) return;
	const context: ValueContext = { fields, setting, judge };
	const words = fields.slice(1);
	judge.budget.spend(words.length / WORDS_PER_STEP);
	judgeOptions(row, words, context);
	if (row.wordsAreFiles) for (const word of words) judgeFileValue(word, context);
	if (row.wordsRun) readWords(row.wordsRun, words, context);
	if (row.language) judgeProgramCode({ ...row, language: row.language }, words, context);
	const script = words.findIndex((word) => commandName(lineText(word)) === SHELL_SCRIPT);
	if (row.language === 'javascript' && script >= 0) judge.words(words.slice(script), setting);
	if (!row.copies && madeOption(words, setting))
		judge.unknowable(fields, 'the line makes a word that may be an option of it', setting);
};

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
function judgeSetting(value: Field | undefined, { commandSettings }: ProgramRow, context: ValueContext): void {
	if (!value || !commandSettings) return;
	const [, key = '', sign = ''] = /^\s*"?([^\s="]+)("?\s*[\s=]\s*)?/.exec(knownStart(value)) ?? [];
	if (!commandSettings.test(key)) return;
	if (/^\S*=\s*\/dev\//.test(knownStart(value)))
		return judgeFileValue({ raw: value.raw, text: knownStart(value).replace(/^\S*=\s*/, '') }, context);
	const from = knownStart(value).indexOf(key) + key.length + sign.length;
	judgeCommandValue({ raw: value.raw, text: value.text.slice(from).replace(/^"(.*)"$/s, '$1') }, context);
}

/** Words that are commands: any of them, or what stands behind one of these beginnings. */
function readWords(beginnings: readonly string[], words: readonly Field[], { setting, judge }: ValueContext): void {
	for (const [at, word] of words.entries()) {
		const text = lineText(word);
		if (text.startsWith('-') && beginnings.length === 0) continue;
		const begun = beginnings.find((each) => text.toLowerCase().includes(each));
		const behind = begun === undefined ? '' : text.slice(text.toLowerCase().indexOf(begun) + begun.length);
		if (begun !== undefined) judge.script(behind.replace(/^[\w:.\]-]*=/, ''), setting);
		// `socat EXEC:x,pty`, `:sftp,ssh="x":`
		if (/["',]/.test(behind)) judge.mayRun(behind.replace(/^["']/, '').replace(/["',].*$/s, ''), setting);
		if (beginnings.length > 0) continue;
		if (/\s/.test(text)) judge.mayRun(text, setting);
		if (at < CHOSEN_WORDS) judge.mayRun(shellText(words.slice(at)), setting);
	}
}

/** A program that the environment chose may be any, also none at all. */
export const readChosen: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(1);
	for (const [at, field] of words.entries()) {
		const text = codeText(field, setting) ?? '';
		if (at < CHOSEN_WORDS) judge.mayRun(shellText(words.slice(at)), setting);
		judge.mayRun(lineText(field), setting);
		if (/^-\w*[ceErp]$|^--(?:eval|print|run)$/.test(knownText(words[at - 1]) ?? '')) {
			for (const name of ['python', 'javascript', 'perl', 'ruby', 'php'] as const) {
				judgeCode(name, { text, fields, setting, judge });
			}
		}
	}
};
