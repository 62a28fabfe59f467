import type { Setting } from '../judging.ts';
import { type Field, isSurelyPlain, knownStart, knownText } from '../shell-field.ts';

/** A substitution of a program that makes a text of what it is given, rather than tell a fact. */
const MAKES_TEXT =
	/(?:\$\(|`|<\()\s*(?:\S*\/)?(?:echo|printf|base(?:32|64)|basenc|xxd|rev|tr|awk|gawk|mawk|sed|python|perl|ruby|node(?!\s+-p\s+["']\s*require\()|php|lua|openssl|uudecode|od|dc|bc|m4|cat\s*<<|cat\s*\)|jq|gzip|gunzip|tee)/;

/**
 * Whether the line itself may have made what a word holds, where the line does not tell what that is. What the
 * environment, a file or a program's own answer says counts as given.
 */
export function isMadeByLine({ raw, text }: Field, { variables, source }: Setting): boolean {
	if (knownText({ raw, text }) !== undefined) return false;
	if (MAKES_TEXT.test(raw)) return true;
	if (!MAKES_TEXT.test(source) && !/\bread\b[^|;&]*<<</.test(source)) return false;
	return [...raw.matchAll(/\$\{?(\w+)/g)].some(([, name = '']) => /\D/.test(name) && !variables.isUntouched(name));
}

/** Options whose value is a text for people: what the line makes of it starts nothing. */
const TAKES_TEXT = /^(?:-[abdFmt]|-\w*m|--(?:message|body|title|notes|data|description|file|body-file|notes-file))$/;

/** A word that the line makes and that may be an option of the program which is given it. */
export function madeOption(words: readonly Field[], setting: Setting): Field | undefined {
	return words.find((word, at) => {
		if (knownText(word) !== undefined || knownStart(word) !== '' || isSurelyPlain(word)) return false;
		return !TAKES_TEXT.test(knownText(words[at - 1]) ?? '') && isMadeByLine(word, setting);
	});
}
