import { commandsInCode, startsPrograms } from './foreign-code.ts';
import type { CommandReader, Judge, Setting } from './judging.ts';
import { GIT_COMMAND, marksOf, type ProgramMarks } from './program-marks.ts';
import { inputTexts, shellNames } from './read-shell.ts';
import { SHELL_SCRIPT } from './read-signalbox.ts';
import { commandName } from './restriction-pattern.ts';
import { commandsInSed } from './sed-commands.ts';
import { type Field, knownText, lineText, shellText } from './shell-field.ts';
import { foundProgram } from './told-by-programs.ts';

/** How many words of a program that the environment chose may be a command of their own. */
const CHOSEN_WORDS = 8;
/** Longer texts are looked at no further, so that a line is judged in bounded time; in UTF-16 code units. */
const MAX_WORD = 8 * 1024;
/** What a search in code or words costs: a step for so many UTF-16 code units. */
const CHARS_PER_STEP = 4;
/** How many lines of an input may be a command each. */
const MAX_LINES = 200;
/** The beginning of a word that may be a command for code to start. */
const MAX_GIVEN = 500;
const CONFIG_OF_VARIABLE = new RegExp(`--config-env[=\\0](?:alias\\.|${GIT_COMMAND})`, 'i');
const BACKQUOTES = /^(?:perl|ruby|irb|php)/;
/** Variables whose value programs run: pagers, editors, ways to reach another machine. */
const RUN_BY_PROGRAMS =
	/^(?:GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_VALUE_\d+)|(?:MAN|SYSTEMD_)?PAGER|(?:SUDO_)?EDITOR|VISUAL|FCEDIT|BROWSER|SHELL|LESS(?:OPEN|CLOSE)|SSH_ASKPASS|(?:RSYNC|CVS)_RSH|npm_config_script_shell)$/;
/** Variables in which programs find words of theirs. */
const WORDS_OF: Readonly<Record<string, string>> = {
	GIT_CONFIG_PARAMETERS: 'git',
	TAR_OPTIONS: 'tar',
	MAKEFLAGS: 'make',
	GNUMAKEFLAGS: 'make',
	PERL5DB: 'perl',
};

/**
 * What a program that is no shell is told to run, by its options, its code or its input. Only what stands there in so
 * many words counts: what such a program puts together by itself is not looked into.
 */
export const readProgram: CommandReader = (fields, setting, judge) => {
	const name = commandName(knownText(fields[0]) ?? '').toLowerCase();
	const marks = marksOf(name);
	if (!marks) return;
	const words = fields.slice(1);
	const texts = words.map(lineText);
	const text = texts.map((each) => `${each}\0`).join('');
	const inputs = inputTexts(setting);
	judgeMarked(marks, texts, setting, judge);
	if (marks.copies) for (const field of words.slice(0, -1)) readCopied(field, setting, judge);
	if (name === 'git' && CONFIG_OF_VARIABLE.test(text)) {
		judge.unknowable(fields, 'git runs what a variable holds', setting);
	}
	if ((!inputs && marks.reads?.test(text)) || isMadeHere(marks, name, words)) {
		judge.unknowable(fields, 'the text that it runs is made by another command', setting);
	}
	for (const line of linesOf(inputs, marks.input)) judge.mayRun(line, setting);
	if (/sed$/.test(name)) for (const line of commandsInSed(texts, inputs ?? [])) judge.mayRun(line, setting);
	if (marks.isCode) readCode(name, words, setting, judge);
};

/** A program that the environment chose may be any, also none at all. */
export const readChosen: CommandReader = (fields, setting, judge) => {
	const words = fields.slice(1);
	for (const [at, field] of words.entries()) {
		if (at < CHOSEN_WORDS) judge.mayRun(shellText(words.slice(at)), setting);
		judge.mayRun(lineText(field), setting);
		judgeCode(lineText(field), true, setting, judge);
	}
};

/** Judges the value of a variable that programs run. */
export function judgeForPrograms(name: string, value: string, setting: Setting, judge: Judge): void {
	const program = Object.hasOwn(WORDS_OF, name) ? WORDS_OF[name] : undefined;
	if (program === 'perl') judgeCode(value, true, setting, judge);
	else if (program) judgeMarked(marksOf(program) ?? {}, value.replace(/'/g, '').split(/\s(?=-)/), setting, judge);
	else if (RUN_BY_PROGRAMS.test(name)) judge.mayRun(value.replace(/^[!|]+/, ''), setting);
}

/** What stands behind a mark is a line, and if it is a single word, a command with the words behind it. */
function judgeMarked({ words: mark }: ProgramMarks, words: readonly string[], setting: Setting, judge: Judge): void {
	if (!mark) return;
	const text = words.map((word) => `${word.slice(0, MAX_WORD)}\0`).join('');
	judge.budget.spend(text.length / CHARS_PER_STEP);
	for (const { index, 0: found } of text.matchAll(mark)) {
		const [line = '', ...rest] = text.slice(index + found.length, -1).split('\0', CHOSEN_WORDS);
		judge.budget.spend(1);
		judge.mayRun(line, setting);
		judge.mayRun(line.split(/["'\n|)}]/, 1)[0] ?? '', setting);
		if (!/\s/.test(line))
			judge.mayRun([line, ...rest.map((word) => `'${word.replaceAll("'", "'\\''")}'`)].join(' '), setting);
		// A shell reads the input of what starts it.
		if (shellNames.includes(commandName(line)))
			for (const each of inputTexts(setting) ?? []) judge.mayRun(each, setting);
	}
}

/** Code, and where it starts programs, whatever else it is given: `awk -v c='rm x' '{ system(c) }'`, `perl -e 'exec @ARGV' rm`. */
function readCode(name: string, words: readonly Field[], setting: Setting, judge: Judge): void {
	const runsBackquotes = BACKQUOTES.test(name);
	const inputs = inputTexts(setting) ?? [];
	const texts = [...words.map(lineText), ...inputs];
	for (const text of texts) judgeCode(text, runsBackquotes, setting, judge);
	const at = words.findIndex((word) => commandName(lineText(word)) === SHELL_SCRIPT);
	if (at >= 0) judge.words(words.slice(at), setting);
	// What a file's name ends with runs it.
	for (const text of runsBackquotes ? texts : []) judge.mayRun(/^(.*)\|\s*$/.exec(text)?.[1] ?? '', setting);
	if (!texts.some((text) => startsPrograms(text, runsBackquotes))) return;
	const given = words.slice(0, CHOSEN_WORDS).map(({ raw, text }): Field => ({ raw, text: text.slice(0, MAX_GIVEN) }));
	for (const [start, word] of given.entries()) {
		judge.mayRun(shellText(given.slice(start)), setting);
		judge.mayRun(lineText(word).replace(/^(?:-v|--assign=)?[a-z_]\w*=/i, ''), setting);
	}
	for (const text of inputs) for (const line of text.split('\n', MAX_LINES)) judge.mayRun(line, setting);
}

function judgeCode(code: string, runsBackquotes: boolean, setting: Setting, judge: Judge): void {
	judge.budget.spend(code.length / (runsBackquotes ? 1 : CHARS_PER_STEP));
	for (const line of commandsInCode(code, runsBackquotes)) judge.mayRun(line, setting);
}

/** Whether its script is what another command prints: `awk -f <(x)`, `python3 <(x)`. */
function isMadeHere({ isCode, reads }: ProgramMarks, name: string, words: readonly Field[]): boolean {
	const readsFile = isCode || reads || /sed$/.test(name);
	const first = isCode && !/awk$/.test(name) ? words.findIndex((word) => !lineText(word).startsWith('-')) : -1;
	return words.some((word, at) => {
		const isScript = at === first || /^(?:-\w*f|--file)$/.test(lineText(words[at - 1] ?? word));
		return readsFile && isScript && word.raw.startsWith('<(');
	});
}

/** The file of a program, which its new name runs. */
function readCopied(field: Field, setting: Setting, judge: Judge): void {
	const isFound = foundProgram(field.raw) !== undefined;
	if (isFound || /\/(?:s?bin|libexec)\/[^/]+$/.test(lineText(field))) judge.mayRun(shellText([field]), setting);
}

/** What stands behind a mark in the lines that it reads. */
function linesOf(inputs: readonly string[] = [], mark?: RegExp): string[] {
	const lines = mark ? inputs.flatMap((text) => text.split('\n')).filter((line) => mark.test(line)) : [];
	return lines.map((line) => line.replace(mark ?? '', ''));
}
