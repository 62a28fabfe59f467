import type { CommandReader } from '../judging.ts';
import { type Field, knownStart, knownText } from '../shell-field.ts';
import { codeText, judgeFileValue, madeOption, type ValueContext } from './judge-value.ts';
import { optionValues } from './option-values.ts';
import { programInput } from './program-input.ts';

const FLAGS = 'nErsuz';
/** Longer scripts are not read; in UTF-16 code units. */
const MAX_SCRIPT = 8 * 1024;
/** Cost of reading a script: one step for this many UTF-16 code units. */
const CHARS_PER_STEP = 4;

/** `sed`: the commands in its scripts, and in an input that it reads as a script. */
export const readSed: CommandReader = (fields, setting, judge) => {
	const context: ValueContext = { fields, setting, judge };
	const words = fields.slice(1);
	if (words.some((word) => knownText(word) === '--sandbox')) return;
	const scripts = optionValues(words, '-e --expression', FLAGS).flatMap(({ value }) => (value ? [value] : []));
	const files = optionValues(words, '-f --file', FLAGS).flatMap(({ value }) => (value ? [value] : []));
	const first = words.find((word) => !/^-./.test(knownStart(word)));
	const given = scripts.length + files.length > 0 ? scripts : first ? [first] : [];
	for (const script of given) readScript(codeText(script, setting), context);
	for (const file of files) {
		const input = isInput(file) ? programInput(setting) : undefined;
		if (Array.isArray(input)) for (const text of input) readScript(text, context);
		else judgeFileValue(file, context);
	}
	if (
		madeOption(
			words.filter((word) => !given.includes(word)),
			setting,
		)
	) {
		judge.unknowable(fields, 'the line makes a word that may be an option of it', setting);
	}
};

const isInput = (file: Field): boolean => /^(?:-|\/dev\/stdin)$/.test(knownText(file) ?? '');

function readScript(script: string | undefined, { fields, setting, judge }: ValueContext): void {
	if (script === undefined) return judge.unknowable(fields, 'its script is made by the line', setting);
	judge.budget.spend(script.length / CHARS_PER_STEP);
	if (script.length > MAX_SCRIPT) return judge.unknowable(fields, 'its script is too long to be read', setting);
	const { lines, isUnknown } = readSedScript(script);
	for (const line of lines) judge.mayRun(line, setting);
	if (isUnknown) judge.unknowable(fields, 'its script may run what it reads', setting);
	else for (const line of lines) judge.script(line, { ...setting, redirects: [] });
}

/** What a script of sed starts: the shell lines, or undefined if the script does not determine them. */
interface SedScript {
	/** Lines that the command `e` runs, and replacement texts that `s///e` runs, as far as they are known. */
	lines: string[];
	/** It runs text from its input, or the script cannot be followed. */
	isUnknown: boolean;
}

const ADDRESS = /^(?:\d+(?:~\d+)?|\$|[+~]\d+)/;

/** Reads a script of GNU sed, command by command. Never throws: what cannot be followed is unknown. */
function readSedScript(script: string): SedScript {
	const reader = new SedReader(script);
	while (!reader.isAtEnd) reader.command();
	return reader;
}

/** The arguments of commands that start nothing, by their letters. */
const RESTS: readonly [string, RegExp][] = [
	['{}', /^/],
	['aic', /^(?:\\\n|[^\\\n]|\\[\s\S])*/],
	[':', /^[^\n;]*/],
	['#rRwW', /^[^\n]*/],
	['bdDFgGhHlLnNpPqQtTvxz=', /^[^;\n}]*/],
];

class SedReader implements SedScript {
	readonly lines: string[] = [];
	isUnknown = false;
	readonly #text: string;
	#at = 0;

	constructor(text: string) {
		this.#text = text;
	}

	get isAtEnd(): boolean {
		return this.#at >= this.#text.length;
	}

	command(): void {
		this.#skip(/^[\s;{}]*/);
		if (this.isAtEnd) return;
		this.#address();
		if (this.#skip(/^\s*,\s*/) !== '') this.#address();
		this.#skip(/^[\s!]*/);
		const name = this.#text[this.#at++] ?? '';
		if (name === 's') return this.#substitute();
		if (name === 'y') return void this.#delimited(2);
		if (name === 'e') return this.#execute();
		const rest = RESTS.find(([names]) => names.includes(name))?.[1];
		if (rest) this.#skip(rest);
		else this.#giveUp();
	}

	#address(): void {
		const sign = this.#text[this.#at];
		if (sign === '/' || sign === '\\') {
			if (sign === '\\') this.#at += 1;
			this.#delimited(1);
			this.#skip(/^[IM]*/);
		} else this.#skip(ADDRESS);
	}

	#substitute(): void {
		const [, replacement = ''] = this.#delimited(2) ?? [];
		const flags = this.#skip(/^(?:[gpiIMme]|\d)*/);
		if (/^\s*w/.test(this.#text.slice(this.#at))) this.#skip(/^[^\n]*/);
		if (!flags.includes('e')) return;
		this.lines.push(replacement.replace(/\\n/g, '\n').replace(/\\([^\w&])/g, '$1'));
		this.isUnknown = true;
	}

	#execute(): void {
		const line = this.#skip(/^[^\S\n]*(?:\\\n|\\[\s\S]|[^\\\n])*/).trim();
		const text = line.replace(/^\\\s*/, '');
		if (text === '' || /^[;}]/.test(text) || text.includes('\\')) this.isUnknown = true;
		if (text !== '') this.lines.push(text.replaceAll('\\', ''));
	}

	/** The texts between the delimiters of `/a/b/`; undefined if an end is missing. */
	#delimited(count: number): string[] | undefined {
		const sign = this.#text[this.#at++];
		const found: string[] = [];
		let from = this.#at;
		let inClass = false;
		for (; this.#at < this.#text.length; this.#at += 1) {
			const char = this.#text[this.#at];
			if (char === '\\') this.#at += 1;
			else if (found.length === 0 && char === '[' && sign !== '[') inClass = true;
			else if (char === ']' && inClass) inClass = false;
			else if (char === sign) {
				// GNU sed ends a pattern at its delimiter within brackets as well.
				inClass = false;
				found.push(this.#text.slice(from, this.#at));
				from = this.#at + 1;
				if (found.length < count) continue;
				this.#at += 1;
				return found;
			}
		}
		this.#giveUp();
		return undefined;
	}

	#skip(pattern: RegExp): string {
		const [found = ''] = pattern.exec(this.#text.slice(this.#at)) ?? [];
		this.#at += found.length;
		return found;
	}

	#giveUp(): void {
		this.#at = this.#text.length;
		this.isUnknown = true;
	}
}
