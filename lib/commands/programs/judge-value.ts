import { namesDevice } from '../device-path.ts';
import type { Judge, Setting } from '../judging.ts';
import { programName } from '../program-name.ts';
import { type Field, isOneWord, knownStart, knownText, lineText } from '../shell-field.ts';
import { isMadeByLine } from './made-by-line.ts';

/** Where a value stands: the command that is given it, and who judges. */
export interface ValueContext {
	fields: readonly Field[];
	setting: Setting;
	judge: Judge;
}

/** Judges a value that is a command, perhaps with its arguments. */
export function judgeCommandValue(
	value: Field | undefined,
	{ fields, setting, judge }: ValueContext,
	isGuess = false,
): void {
	if (!value) return;
	const text = knownText(value);
	if (isGuess) return judge.mayRun(lineText(value).replace(/^[!|]+-?/, ''), setting);
	if (text !== undefined) {
		const line = text.replace(/^[!|]+-?/, '');
		judge.script(line, { ...setting, redirects: [] });
		if (/^\S*,/.test(line)) judge.mayRun(line.replaceAll(',', ' '), setting);
	} else if (isOneWord(value) && programName(value).known === true) judge.words([value], { ...setting, redirects: [] });
	else judge.unknowable(fields, 'the command that it is told to run is not known', setting);
}

/** Judges a value that is a file which says what runs: no file that the line itself makes, and no input. */
export function judgeFileValue(value: Field | undefined, { fields, setting, judge }: ValueContext): void {
	if (!value) return;
	const text = knownText(value);
	const isInput = /^data:/i.test(text ?? '') || text === '-' || namesDevice(text ?? knownStart(value));
	if (!isInput && !/^[<>=]\(/.test(value.raw) && !isMadeByLine(value, setting)) return;
	judge.unknowable(fields, 'the file that says what it runs is made by the line', setting);
}

/** The text of a piece of code; what the line does not tell stands as a word. Undefined where nobody knows it. */
export function codeText(value: Field, setting: Setting): string | undefined {
	const text = value.text.replace(/[\ufdd0-\ufdd5]/g, '_');
	return /^_*$/.test(text) && text !== '' && knownText(value) === undefined
		? undefined
		: isMadeByLine(value, setting)
			? undefined
			: text;
}
