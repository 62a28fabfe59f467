const BLANK = /[ \t\n\r]*/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them in a string.
const STRING = /"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const ATOM = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * Where a text stops being JSON, as an offset; null for JSON. Engines say it in words of their own, some without a
 * place. Nesting deeper than the stack holds throws, as `JSON.parse` does.
 */
export function jsonBreak(text: string): number | null {
	let at = 0;
	const take = (pattern: RegExp): boolean => {
		pattern.lastIndex = at;
		const match = pattern.exec(text);
		if (match) at = pattern.lastIndex;
		return match !== null;
	};
	const sign = (one: string): boolean => {
		take(BLANK);
		const is = text[at] === one;
		if (is) at += 1;
		return is;
	};
	const list = (end: string, member: () => boolean): boolean => {
		if (sign(end)) return true;
		do if (!member()) return false;
		while (sign(','));
		return sign(end);
	};
	const field = () => take(BLANK) && take(STRING) && sign(':') && value();
	const value = (): boolean => {
		if (sign('{')) return list('}', field);
		if (sign('[')) return list(']', value);
		return take(STRING) || take(ATOM);
	};
	if (!value()) return at;
	take(BLANK);
	return at === text.length ? null : at;
}
