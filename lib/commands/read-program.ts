import { commandsInCode } from './foreign-code.ts';
import type { CommandReader, Judge, Setting } from './judging.ts';
import { optionsOf, type ProgramOptions } from './program-options.ts';
import { readGitSettings } from './read-git.ts';
import { inputTexts } from './read-shell.ts';
import { SHELL_SCRIPT } from './read-signalbox.ts';
import { commandName } from './restriction-pattern.ts';
import { commandsInSed } from './sed-commands.ts';
import { type Field, knownText, lineText, shellText } from './shell-field.ts';
import { foundProgram } from './told-by-programs.ts';

/** How many words of a program that the environment chose may be a command of their own. */
const CHOSEN_WORDS = 8;
/** Longer texts are looked at no further, so that a line is judged in bounded time; in UTF-16 code units. */
const MAX_WORD = 8 * 1024;
/** What a search in code costs: a step for so many UTF-16 code units. */
const CODE_CHARS_PER_STEP = 4;
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
		if (options.isCode && commandName(text) === SHELL_SCRIPT) judge.words(words.slice(at), setting);
	}
	if (options.copies) for (const field of words.slice(0, -1)) readCopied(field, setting, judge);
	readOwnWay[name]?.(words, setting, judge);
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

/** `awk -v c='rm x' 'BEGIN { system(c) }'`: a command in a variable. */
const readAwk: CommandReader = (words, setting, judge) => {
	const texts = words.map((word) => lineText(word).slice(0, MAX_WORD));
	judge.budget.spend(texts.join('').length / CODE_CHARS_PER_STEP);
	const runsVariables = texts.some((text) => /\bsystem\s*\(\s*[a-z_]|\|&?\s*[a-z_]\w*|\w\s*\|&?\s*getline/i.test(text));
	if (!runsVariables) return;
	for (const text of texts) {
		judge.mayRun(/^(?:-v|--assign=)?[a-z_]\w*=(.+)/is.exec(text)?.[1] ?? '', setting);
		for (const [, line = ''] of text.matchAll(/\w\s*=\s*"((?:[^"\\]|\\.)*)"/gi)) judge.mayRun(line, setting);
	}
};

const readSed: CommandReader = (words, setting, judge) => {
	for (const line of commandsInSed(words.map(lineText), inputTexts(setting) ?? [])) judge.mayRun(line, setting);
};

function judgeCode(code: string, runsBackquotes: boolean, setting: Setting, judge: Judge): void {
	judge.budget.spend(code.length / (runsBackquotes ? 1 : CODE_CHARS_PER_STEP));
	for (const line of commandsInCode(code, runsBackquotes)) judge.mayRun(line, setting);
}

function linesIn(text: string, next: Field | undefined, { lines = [], inWords }: ProgramOptions): string[] {
	const searched = inWords ? [...text.slice(0, MAX_WORD).matchAll(new RegExp(inWords, `g${inWords.flags}`))] : [];
	const found = searched.flatMap((each) => each.slice(1).filter(Boolean));
	return [...found, ...lines.flatMap((option) => optionValue(option, text, next) ?? [])];
}

/** The value of an option, attached or in the next word; a long option may be cut short. */
function optionValue(option: string, text: string, next: Field | undefined): string | undefined {
	const [given = ''] = text.split('=');
	const isIt = text === option || (/^--\w../.test(given) && option.startsWith(given));
	if (isIt) return given === text ? next && lineText(next) : text.slice(given.length + 1);
	if (option.startsWith('--') || !text.startsWith(option)) return undefined;
	return text.slice(option.length).replace(/^=/, '');
}

/** `tar cIf PROGRAM archive`, `tar -cI PROGRAM`: short options in one word, with their values behind it. */
const readBundles: CommandReader = (words, setting, judge) => {
	for (const [at, word] of words.entries()) {
		const isBundle = /^-?[A-Za-z]*[IF]/.test(lineText(word)) && (at === 0 || lineText(word).startsWith('-'));
		for (const value of isBundle ? words.slice(at + 1, at + 4) : []) judge.mayRun(lineText(value), setting);
	}
};

/** Those that take a command in a way of their own; each gets the words after the name. */
const readOwnWay: Readonly<Record<string, CommandReader | undefined>> = {
	tar: readBundles,
	awk: readAwk,
	gawk: readAwk,
	mawk: readAwk,
	nawk: readAwk,
	git: readGitSettings,
	sed: readSed,
	gsed: readSed,
};

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
