import { namesDevice } from '../device-path.ts';
import type { Judge, Setting } from '../judging.ts';
import { programName } from '../program-name.ts';
import { type Field, isOneWord, isSurelyPlain, knownStart, knownText, lineText } from '../shell-field.ts';

export interface ValueContext {
	fields: readonly Field[];
	setting: Setting;
	judge: Judge;
}

/** Judges a value that is a command, possibly with its arguments. */
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

/** Judges a value that is a file with commands: neither a file that the line itself creates, nor an input, may be used. */
export function judgeFileValue(value: Field | undefined, { fields, setting, judge }: ValueContext): void {
	if (!value) return;
	const text = knownText(value);
	const isInput = /^data:/i.test(text ?? '') || text === '-' || namesDevice(text ?? knownStart(value));
	if (!isInput && !/^[<>=]\(/.test(value.raw) && !isMadeByLine(value, setting)) return;
	judge.unknowable(fields, 'the file that says what it runs is made by the line', setting);
}

/** The text of a piece of code; unknown parts become a plain word. Undefined if nothing is known. */
export function codeText(value: Field, setting: Setting): string | undefined {
	const text = value.text.replace(/[\ufdd0-\ufdd5]/g, '_');
	return /^_*$/.test(text) && text !== '' && knownText(value) === undefined
		? undefined
		: isMadeByLine(value, setting)
			? undefined
			: text;
}

/** A substitution of a program that transforms its input, rather than reports a fact. */
const MAKES_TEXT =
	/(?:\$\(|`|<\()\s*(?:\S*\/)?(?:echo|printf|base(?:32|64)|basenc|xxd|rev|tr|awk|gawk|mawk|sed|python|perl|ruby|node(?!\s+-p\s+["']\s*require\()|php|lua|openssl|uudecode|od|dc|bc|m4|cat\s*<<|cat\s*\)|jq|gzip|gunzip|tee)/;

/**
 * Whether the line itself may have produced the content of a word, if that is unknown. Values from the environment, a file or a
 * program's own report do not count as produced.
 */
export function isMadeByLine({ raw, text }: Field, { variables, source }: Setting): boolean {
	if (knownText({ raw, text }) !== undefined) return false;
	if (MAKES_TEXT.test(raw)) return true;
	if (!MAKES_TEXT.test(source) && !/\bread\b[^|;&]*<<</.test(source)) return false;
	return [...raw.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => /\D/.test(name) && !variables.isUntouched(name));
}

/** Options whose value is a text for people: it starts nothing, even if the line produces it. */
const TAKES_TEXT = /^(?:-[abdFmt]|-\w*m|--(?:message|body|title|notes|data|description|file|body-file|notes-file))$/;

/** A word that the line produces and that may become an option of its program. */
export function madeOption(words: readonly Field[], setting: Setting): Field | undefined {
	return words.find((word, index) => {
		if (knownText(word) !== undefined || knownStart(word) !== '' || isSurelyPlain(word)) return false;
		return !TAKES_TEXT.test(knownText(words[index - 1]) ?? '') && isMadeByLine(word, setting);
	});
}
