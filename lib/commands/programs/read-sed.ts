import type { CommandReader } from '../judging.ts';
import { type Field, knownStart, knownText } from '../shell-field.ts';
import { codeText, judgeFileValue, type ValueContext } from './judge-value.ts';
import { madeOption } from './made-by-line.ts';
import { optionValues } from './option-values.ts';
import { programInput } from './program-input.ts';
import { readSedScript } from './sed-script.ts';

const FLAGS = 'nErsuz';
/** Longer scripts are not read; in UTF-16 code units. */
const MAX_SCRIPT = 8 * 1024;
/** What reading a script costs: a step for so many UTF-16 code units. */
const CHARS_PER_STEP = 4;

/** `sed`: the commands in its scripts, and in what it reads as a script. */
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
