import type { Judge, Setting } from '../judging.ts';
import { type Field, textField, unknownField } from '../shell-field.ts';
import { type CodeLanguage, type CommandLanguage, type LanguageName, languages } from './languages.ts';

/** Longer code is not read; in UTF-16 code units. */
const MAX_CODE = 32 * 1024;
/** Cost of a search in code: one step for this many UTF-16 code units. */
const CHARS_PER_STEP = 4;
/** Most commands of a language of commands that are judged. */
const MAX_COMMANDS = 500;

export interface Code {
	text: string;
	/** The command that receives it, as shown to a person. */
	fields: readonly Field[];
	setting: Setting;
	judge: Judge;
}

/**
 * Judges what code starts: a program in plain text is judged as a command; anything else in its place is a question. Never throws
 * because of the code.
 */
export function judgeCode(name: LanguageName, code: Code): void {
	const { fields, setting, judge } = code;
	const text = code.text.trim();
	judge.budget.spend(text.length / CHARS_PER_STEP);
	const language = languages[name];
	if (text.length > MAX_CODE) return judge.unknowable(fields, 'its code is too long to be read', setting);
	if (language.kind === 'shell') judge.script(text.replace(new RegExp(language.before, 'gm'), ''), setting);
	else if (language.kind === 'commands') judgeCommands(language, code);
	else judgeStarts(language, code);
}

function judgeCommands({ between, harmless, toShell }: CommandLanguage, code: Code): void {
	const { fields, setting, judge } = code;
	const commands = code.text.trim().split(between);
	if (commands.length > MAX_COMMANDS) return judge.unknowable(fields, 'its commands are too many', setting);
	for (const command of commands) {
		if (command.length <= MAX_COMMAND && harmless.test(command)) continue;
		judge.mayRun(command.replace(toShell, ''), setting);
		judge.unknowable(fields, 'a command of its own may start programs', setting);
	}
}

/** A longer editor command is not compared with the harmless ones; in UTF-16 code units. */
const MAX_COMMAND = 2000;

function judgeStarts(language: CodeLanguage, code: Code): void {
	const { fields, setting, judge } = code;
	const { modules, masked } = language;
	const text = language.foldsLetters ? foldedLetters(code.text) : code.text;
	const hasModule = modules?.named.test(text) === true;
	if (language.composes.test(text) || (hasModule && modules.composes.test(text))) {
		judge.unknowable(fields, 'its code may reach programs by names that it makes', setting);
	}
	const seen = masked ? text.replace(masked, (each) => each.replace(/\|/g, ' ')) : text;
	const places = [...seen.matchAll(language.starts), ...(hasModule ? seen.matchAll(modules.starts) : [])];
	let end = 0;
	for (const { 0: word, index } of places) {
		if (index < end) continue;
		judge.budget.spend(1);
		const quoted = language.runsQuoted?.test(word) ? quotedAt(text, index, word) : undefined;
		if (quoted) end = quoted.end;
		const given = quoted ? [quoted] : givenTo(word, index, language, text);
		if (given) judgeStart(given, language, code);
	}
}

/** Python treats letters of another width or style as the plain ones. */
function foldedLetters(text: string): string {
	return text.replace(/[^\0-\x7f]/gu, (letter) => {
		const plain = letter.normalize('NFKC');
		return /^\w+$/.test(plain) ? plain : letter;
	});
}

/** Judges the start of one program by the arguments of the call; an argument that is not plain text is undefined. */
function judgeStart(given: Given, language: CodeLanguage, { fields, setting, judge }: Code): void {
	const [first, ...others] = given;
	if (first === undefined || given.some((each) => each !== undefined && isMade(each, language))) {
		for (const each of given) if (each !== undefined) judge.mayRun(each.text, setting);
		return judge.unknowable(fields, 'the program that its code starts is not plain text', setting);
	}
	const line = first.text.trim();
	if (others.length === 0 || /\s/.test(line)) judge.script(line, setting);
	if (others.length === 0) return;
	const words = given.map((each) => (each ? textField(each.text) : unknownField('…', true)));
	judge.words(words, { ...setting, redirects: [] });
}

/** The arguments of a word that starts programs; undefined if this occurrence starts none. */
function givenTo(word: string, index: number, { inParentheses }: CodeLanguage, text: string): Given | undefined {
	const before = text.slice(Math.max(0, index - 200), index);
	const behind = text.slice(index + word.length);
	if (word.startsWith('|')) return /^\s*getline\b/.test(behind) ? [literalBefore(before)] : argumentsOf(behind);
	if (inParentheses && !/^\s*\(|^`/.test(behind)) {
		const isHandedOn =
			/[.=([{,:]\s*$/.test(before) && !/\{[^{}()]*$/.test(before) && !/\bimport\b[^\n;]*$/.test(before);
		return isHandedOn ? [undefined] : undefined;
	}
	return /^\s*\(\s*\)/.test(behind) ? undefined : argumentsOf(behind);
}

type Given = readonly (Literal | undefined)[];

interface Literal {
	text: string;
	/** Its opening quote, with its prefix. */
	quote: string;
	/** Where the text after it begins. */
	end: number;
}

/** Whether a literal contains more than its text: an escape, an inserted value, a prefix for these. */
function isMade({ text, quote }: Literal, { interpolates }: CodeLanguage): boolean {
	if (/\\/.test(text.replace(/\\[nt"'\\]/g, '')) || /[fF]/.test(quote)) return true;
	return quote.endsWith("'") ? false : (interpolates?.test(text) ?? false);
}

const LITERAL = /^\s*([rbuRBU]{0,2}|[fF][rR]?|[rR][fF])("""|'''|["'`])/;

/** The arguments of a call: consecutive literals, in a list or not. Any other is undefined. */
function argumentsOf(behind: string): Given {
	const [open = ''] = /^\s*[({[]?\s*[[({]?\s*/.exec(behind) ?? [];
	let rest = behind.slice(open.length);
	const found: (Literal | undefined)[] = [];
	while (found.length < MAX_ARGUMENTS) {
		const literal = literalAt(rest);
		if (!literal) {
			// Named arguments and an object of options say how it is started, not what.
			const isOption = found.length > 0 && /^\s*(?:\w+\s*=(?!=)|\{|\w+:\s|\w+\s*=>|[)\]])/.test(rest);
			return isOption ? found : [...found, undefined];
		}
		rest = rest.slice(literal.end);
		const isWhole = /^\s*(?:[)\]},;|&\n]|=>|$)|^\s+(?:do|or|and|if|unless|\|)/.test(rest);
		found.push(isWhole ? literal : undefined);
		const next = /^\s*(?:[\])]\s*)?,\s*[[(]?\s*|^\s*=>\s*/.exec(rest);
		if (!next) return found;
		rest = rest.slice(next[0].length);
	}
	return [undefined];
}

const MAX_ARGUMENTS = 20;

function literalBefore(before: string): Literal | undefined {
	const [, text] = /(?:^|[;{}\n(])\s*"([^"\\]*)"\s*$/.exec(before) ?? [];
	return text === undefined ? undefined : { text, quote: '"', end: 0 };
}

function literalAt(text: string): Literal | undefined {
	const [head, prefix = '', quote = ''] = LITERAL.exec(text) ?? [];
	if (head === undefined) return undefined;
	let at = head.length;
	while (at < text.length && !text.startsWith(quote, at)) at += text[at] === '\\' ? 2 : 1;
	if (at >= text.length) return undefined;
	return { text: text.slice(head.length, at), quote: prefix + quote, end: at + quote.length };
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '<': '>' };

/** The content of quotes that run it: `` `x` ``, `qx{x}`, `%x(x)`. */
function quotedAt(text: string, index: number, word: string): Literal | undefined {
	const isSign = word === '`';
	const [open = ''] = isSign ? [''] : (/^\s*\S/.exec(text.slice(index + word.length)) ?? []);
	const sign = isSign ? '`' : open.trim();
	const start = index + word.length + open.length;
	const end = sign === '' ? -1 : text.indexOf(CLOSING[sign] ?? sign, start);
	return end < 0 ? undefined : { text: text.slice(start, end), quote: sign === "'" ? "'" : '"', end: end + 1 };
}
