import { commandsInCode } from './foreign-code.ts';
import type { CommandReader, Judge, Setting } from './judging.ts';
import { optionsOf, type ProgramOptions } from './program-options.ts';
import { inputTexts } from './read-shell.ts';
import { type Field, knownText, lineText, shellText } from './shell-field.ts';
import { foundProgram } from './told-by-programs.ts';

/** How many words of a program that the environment chose may be a command of their own. */
const CHOSEN_WORDS = 8;
/** Longer texts are looked at no further, so that a line is judged in bounded time; in UTF-16 code units. */
const MAX_WORD = 8 * 1024;
const BACKQUOTES = /^(?:perl|ruby|irb|php)/;

/**
 * What a program that is no shell is told to run, by its options, its code or its input. Only what stands there in so
 * many words counts: what such a program puts together by itself is not looked into.
 */
export const readProgram: CommandReader = (fields, setting, judge) => {
	const name = knownText(fields[0])?.replace(/^.*\//, '').toLowerCase() ?? '';
	const options = optionsOf(name);
	if (!options) return;
	const words = fields.slice(1);
	const runsBackquotes = BACKQUOTES.test(name);
	for (const [at, field] of words.entries()) {
		const text = lineText(field);
		for (const line of linesIn(text, words[at + 1], options)) judge.mayRun(line, setting);
		if (options.isCode) judgeCode(text, runsBackquotes, setting, judge);
		if (options.before?.includes(text)) readRest(words.slice(at + 1), setting, judge);
	}
	if (options.copies) for (const field of words.slice(0, -1)) readCopied(field, setting, judge);
	if (name === 'git') readGitSettings(words, setting, judge);
	if (options.input) readLines(options.input, fields, setting, judge);
	if (options.isCode) for (const code of inputTexts(setting) ?? []) judgeCode(code, runsBackquotes, setting, judge);
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

function judgeCode(code: string, runsBackquotes: boolean, setting: Setting, judge: Judge): void {
	for (const line of commandsInCode(code, runsBackquotes)) judge.mayRun(line, setting);
}

function linesIn(text: string, next: Field | undefined, { lines = [], inWords }: ProgramOptions): string[] {
	const found = inWords?.exec(text.slice(0, MAX_WORD))?.slice(1).filter(Boolean) ?? [];
	for (const option of lines) {
		if (text === option) found.push(next ? lineText(next) : '');
		else if (text.startsWith(option.startsWith('--') ? `${option}=` : option)) {
			found.push(text.slice(option.length).replace(/^=/, ''));
		}
	}
	return found;
}

/** The file of a program, which its new name runs. */
function readCopied(field: Field, setting: Setting, judge: Judge): void {
	const isFound = foundProgram(field.raw) !== undefined;
	if (isFound || /\/(?:s?bin|libexec)\/[^/]+$/.test(lineText(field))) judge.mayRun(shellText([field]), setting);
}

/** A command with its arguments, perhaps behind options of the program that starts it. */
function readRest(words: readonly Field[], setting: Setting, judge: Judge): void {
	const start = words.findIndex((word) => !/^-/.test(lineText(word)));
	if (start < 0) return;
	const rest = words.slice(start);
	judge.mayRun(rest.length === 1 && rest[0] ? lineText(rest[0]) : shellText(rest), setting);
}

/** Settings of git whose value is a command. */
const GIT_COMMAND =
	/^(?:pager\..*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|interactive\.difffilter|uploadpack\.packobjectshook|.*\.(?:textconv|command|cmd|clean|smudge|process|driver|helper|program|uploadpack|receivepack|sshcommand))$/i;

/** `git -c KEY=VALUE`, `git config KEY VALUE`; a value that begins with `!` is a command under any key. */
function readGitSettings(words: readonly Field[], setting: Setting, judge: Judge): void {
	const isConfig = words.some((word) => knownText(word) === 'config');
	for (const [at, word] of words.entries()) {
		const [, key = '', attached] = /^([\w-]+\.[\w.*-]+)(?:=([\s\S]*))?$/.exec(lineText(word)) ?? [];
		const next = words[at + 1];
		const value = attached ?? (isConfig && next ? lineText(next) : undefined);
		if (value === undefined || key === '') continue;
		if (value.startsWith('!') || GIT_COMMAND.test(key)) judge.mayRun(value.replace(/^!/, ''), setting);
	}
}

/** Each line that it reads is a command, or it is not known what it reads. */
function readLines(
	{ skips, reads }: NonNullable<ProgramOptions['input']>,
	fields: readonly Field[],
	setting: Setting,
	judge: Judge,
): void {
	const texts = inputTexts(setting);
	if (!texts && reads?.(fields.slice(1).map(lineText))) {
		return judge.unknowable(fields, 'it runs what it reads from its input', setting);
	}
	const lines = (texts ?? []).flatMap((text) => text.split('\n')).filter((line) => skips.test(line));
	for (const line of lines) judge.mayRun(line.replace(skips, ''), setting);
}
