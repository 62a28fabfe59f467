import { namesDevice, namesInput } from './device-path.ts';
import type { Judge, Setting } from './judging.ts';
import { judgeText } from './read-wrapper.ts';
import { type Field, isOneWord, isSurelyPlain, knownStart, knownText, lineText, shellText } from './shell-field.ts';
import { printsSetup, programIn } from './substitution-output.ts';
import { partsValues, wordValues } from './word-fields.ts';

const SHELLS: readonly string[] = ['sh', 'bash', 'rbash', 'dash', 'ash', 'zsh', 'ksh', 'mksh', 'lksh', 'yash'];
const FOREIGN: readonly string[] = ['fish', 'csh', 'tcsh', 'nu', 'xonsh', 'elvish', 'pwsh', 'powershell', 'osh', 'rc'];

export const shellNames: readonly string[] = [...SHELLS, ...FOREIGN];

interface ShellWords {
	/** The letters of its options. */
	letters: string;
	rest: readonly Field[];
	/** Files that it runs before commands. */
	startFiles: readonly Field[];
	unknown: boolean;
	onlyReports: boolean;
}

/** Judges what a shell is made to run: `-c` text, or its input. A script in a file is not examined. */
export function readShell(fields: readonly Field[], setting: Setting, judge: Judge): void {
	const words = shellWords(fields.slice(1));
	if (words.onlyReports || onlyChecks(words)) return;
	for (const file of words.startFiles) readFile(file, fields, setting, judge);
	if (words.unknown) return judge.unknowable(fields, 'its options are not known', setting);
	const [first] = words.rest;
	if (words.letters.includes('c')) {
		if (FOREIGN.includes(knownText(fields[0])?.replace(/^.*\//, '') ?? '')) {
			return judge.unknowable(fields, 'its language is not read here', setting);
		}
		if (first) judgeText([first], fields, setting, judge);
	} else if (!first || words.letters.includes('s')) readInput(fields, setting, judge);
	else readFile(first, fields, setting, judge);
}

function shellWords(fields: readonly Field[]): ShellWords {
	let letters = '';
	const startFiles: Field[] = [];
	let at = 0;
	const end = (more?: Partial<ShellWords>): ShellWords => ({
		letters,
		rest: fields.slice(at),
		startFiles,
		unknown: false,
		onlyReports: false,
		...more,
	});
	for (let field = fields[0]; field; field = fields[at]) {
		const word = knownText(field);
		if (word === undefined) return end({ unknown: !namesFile(field) });
		if (word === '--version' || word === '--help') return end({ onlyReports: true });
		// A shell refuses an option with a blank in it: the word is judged as the text that may have been meant.
		if (!/^[-+]\S*$/.test(word)) break;
		at += 1;
		if (word === '--' || word === '-') break;
		const isLong = word.startsWith('--');
		letters += lettersOf(word);
		const values = isLong ? Number(/^--(rcfile|init-file)$/.test(word)) : word.replace(/[^oO]/g, '').length;
		if (!fields.slice(at, at + values).every(isOneWord)) return end({ unknown: true });
		if (isLong) startFiles.push(...fields.slice(at, at + values));
		at += values;
	}
	return end();
}

/** The letters of a short option, with the plus of one that is switched off: `+c` takes a text as `-c` does. */
const lettersOf = (word: string): string => word.replace(/^--.*|^-/s, '');

const namesFile = (field: Field): boolean => isSurelyPlain(field) || endsAsFile(field);

/** `bash -n FILE` reads and runs nothing; with `-i` a shell ignores it. */
function onlyChecks({ letters }: ShellWords): boolean {
	return letters.includes('n') && !/[i+]/.test(letters);
}

/** `source` and `.`: the file is not examined, unless the line itself creates it. */
export function readSource(fields: readonly Field[], setting: Setting, judge: Judge): void {
	const [, first, second] = fields;
	const file = knownText(first) === '--' ? second : first;
	if (file && !isSetup(file, setting)) readFile(file, fields, setting, judge);
}

function readFile(file: Field, fields: readonly Field[], setting: Setting, judge: Judge): void {
	const path = knownText(file);
	judge.runsFile();
	// A program that is a script may be run by its shell or by its name.
	judge.mayRun(path === undefined ? lineText(file) : shellText([file]), setting);
	if (path !== undefined && namesInput(path)) readInput(fields, setting, judge);
	else if (namesDevice(path ?? knownStart(file)) || /^[<>=]\(/.test(file.raw)) {
		judge.unknowable(fields, 'the text that it runs is made by another command', setting);
	} else if (path === undefined && !endsAsFile(file)) {
		judge.unknowable(fields, 'the file that it runs is not known', setting);
	}
}

/** No shell accepts an option with a slash in it, and readable paths below `/dev` and `/proc` end otherwise. */
function endsAsFile(field: Field): boolean {
	const [, name] = /\/([^/\ufdd0-\ufdd5]+)$/.exec(field.text) ?? [];
	return name !== undefined && isOneWord(field) && !namesDevice(name);
}

/** Whether a program prints the text that sets up a shell: its own code, which is not examined either. */
export function isSetup({ raw }: Field, { variables }: Setting): boolean {
	return printsSetup(raw) && variables.isNoFunction(programIn(raw));
}

/** Judges the input of a shell, if its own redirection determines it. */
function readInput(fields: readonly Field[], setting: Setting, judge: Judge): void {
	const file = inputOf(setting);
	if (file?.operator === '<' && file.target) judge.mayRun(file.target.text, setting);
	const texts = inputTexts(setting);
	if (!texts) return judge.unknowable(fields, 'it runs what it reads from its input', setting);
	for (const text of texts) judge.script(text, setting);
}

/** The possible texts of the input; none for a plain file, which is not examined. Undefined if unknown. */
export function inputTexts(setting: Setting): readonly string[] | undefined {
	const { variables } = setting;
	const input = inputOf(setting);
	if (!input) return undefined;
	if (input.type === 'HereString') return input.target && wordValues(input.target, variables);
	if (input.type === 'HereDoc') {
		if (input.delimiter?.quoted) return [input.body.text];
		if (input.body.parts) return partsValues(input.body.parts, variables);
		return [input.body.text.replace(/\\([$`\\]|\n)/g, (_, char: string) => (char === '\n' ? '' : char))];
	}
	if (input.operator !== '<' || !input.target) return undefined;
	const files = wordValues(input.target, variables);
	return files?.every((file) => !namesDevice(file)) ? [] : undefined;
}

const inputOf = ({ redirects }: Setting) =>
	redirects.findLast(({ operator, descriptor }) =>
		descriptor ? descriptor.type === 'FileDescriptor' && descriptor.value === 0 : operator.startsWith('<'),
	);
