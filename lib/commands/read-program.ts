import { commandsInCode } from './foreign-code.ts';
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
const BACKQUOTES = /^(?:perl|ruby|irb|php)/;
/** Variables whose value programs run: pagers, editors, ways to reach another machine. */
const RUN_BY_PROGRAMS =
	/^(?:GIT_(?:PAGER|EDITOR|SEQUENCE_EDITOR|SSH|SSH_COMMAND|EXTERNAL_DIFF|ASKPASS|PROXY_COMMAND|CONFIG_VALUE_\d+)|(?:MAN|SYSTEMD_)?PAGER|(?:SUDO_)?EDITOR|VISUAL|FCEDIT|BROWSER|LESS(?:OPEN|CLOSE)|SSH_ASKPASS|(?:RSYNC|CVS)_RSH|npm_config_script_shell)$/;
/** Variables in which programs find words of theirs. */
const WORDS_OF: Readonly<Record<string, string>> = { GIT_CONFIG_PARAMETERS: 'git', TAR_OPTIONS: 'tar' };

/**
 * What a program that is no shell is told to run, by its options, its code or its input. Only what stands there in so
 * many words counts: what such a program puts together by itself is not looked into.
 */
export const readProgram: CommandReader = (fields, setting, judge) => {
	const name = commandName(knownText(fields[0]) ?? '').toLowerCase();
	const marks = marksOf(name);
	if (!marks) return;
	const words = fields.slice(1);
	judgeMarked(marks, words.map(lineText), setting, judge);
	if (marks.copies) for (const field of words.slice(0, -1)) readCopied(field, setting, judge);
	if (
		name === 'git' &&
		new RegExp(`--config-env[=\\0](?:alias\\.|${GIT_COMMAND})`, 'i').test(words.map(lineText).join('\0'))
	) {
		judge.unknowable(fields, 'git runs what a variable holds', setting);
	}
	readInput(marks, fields, setting, judge);
	const inputs = inputTexts(setting) ?? [];
	if (/sed$/.test(name)) for (const line of commandsInSed(words.map(lineText), inputs)) judge.mayRun(line, setting);
	if (!marks.isCode) return;
	for (const code of [...words.map(lineText), ...inputs]) judgeCode(code, BACKQUOTES.test(name), setting, judge);
	const at = words.findIndex((word) => commandName(lineText(word)) === SHELL_SCRIPT);
	if (at >= 0) judge.words(words.slice(at), setting);
	if (/awk$/.test(name)) readAwk(words, setting, judge);
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
	if (program) judgeMarked(marksOf(program) ?? {}, value.replace(/'/g, '').split(/\s(?=-)/), setting, judge);
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

/** `awk -v c='rm x' 'BEGIN { system(c) }'`: a command in a variable. */
const readAwk: CommandReader = (words, setting, judge) => {
	const texts = words.map((word) => lineText(word).slice(0, MAX_WORD));
	judge.budget.spend(texts.join('').length / CHARS_PER_STEP);
	const runsVariables = texts.some((text) => /\bsystem\s*\(\s*[a-z_]|\|&?\s*[a-z_]\w*|\w\s*\|&?\s*getline/i.test(text));
	if (!runsVariables) return;
	for (const text of texts) {
		judge.mayRun(/^(?:-v|--assign=)?[a-z_]\w*=(.+)/is.exec(text)?.[1] ?? '', setting);
		for (const [, line = ''] of text.matchAll(/\w\s*=\s*"((?:[^"\\]|\\.)*)"/gi)) judge.mayRun(line, setting);
	}
};

function judgeCode(code: string, runsBackquotes: boolean, setting: Setting, judge: Judge): void {
	judge.budget.spend(code.length / (runsBackquotes ? 1 : CHARS_PER_STEP));
	for (const line of commandsInCode(code, runsBackquotes)) judge.mayRun(line, setting);
}

/** The file of a program, which its new name runs. */
function readCopied(field: Field, setting: Setting, judge: Judge): void {
	const isFound = foundProgram(field.raw) !== undefined;
	if (isFound || /\/(?:s?bin|libexec)\/[^/]+$/.test(lineText(field))) judge.mayRun(shellText([field]), setting);
}

/** Each line that it reads is a command, or it is not known what it reads. */
function readInput({ input, reads }: ProgramMarks, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const texts = input && inputTexts(setting);
	if (!input) return;
	if (
		!texts &&
		reads?.test(
			fields
				.slice(1)
				.map((word) => `${lineText(word)}\0`)
				.join(''),
		)
	) {
		return judge.unknowable(fields, 'it runs what it reads from its input', setting);
	}
	const lines = (texts ?? []).flatMap((text) => text.split('\n')).filter((line) => input.test(line));
	for (const line of lines) judge.mayRun(line.replace(input, ''), setting);
}
