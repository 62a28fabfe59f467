/** Plain text, or one character that would act without being visible. */
export type TextPart = { kind: 'text'; text: string } | { kind: 'mark'; text: string; name: string };

const names: Record<number, string> = {
	0: 'NUL',
	7: 'BEL',
	8: 'BS',
	13: 'CR',
	27: 'ESC',
	127: 'DEL',
	160: 'NBSP',
	173: 'SHY',
	1564: 'ALM',
	8203: 'ZWSP',
	8204: 'ZWNJ',
	8205: 'ZWJ',
	8206: 'LRM',
	8207: 'RLM',
	8232: 'LS',
	8233: 'PS',
	8234: 'LRE',
	8235: 'RLE',
	8236: 'PDF',
	8237: 'LRO',
	8238: 'RLO',
	8288: 'WJ',
	8294: 'LRI',
	8295: 'RLI',
	8296: 'FSI',
	8297: 'PDI',
	65279: 'BOM',
};

/** Controls, format and private characters, odd separators, fillers and half surrogates, except as parts of an emoji. */
const unseen = new RegExp(
	[
		String.raw`(?<!\p{Extended_Pictographic})\uFE0F`,
		String.raw`(?<!\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]?)\u200D`,
		String.raw`\u200D(?!\p{Extended_Pictographic})`,
		String.raw`(?!\u200D)[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]`,
		String.raw`[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u034F\u115F\u1160\u17B4\u17B5\u180B-\u180F\u3164\uFFA0]`,
		String.raw`[\uFE00-\uFE0E\u{E0100}-\u{E01EF}]`,
	].join('|'),
	'gu',
);

/** Most text, recognised fast. */
const onlyPlain = /^[\x20-\x7e\n\t]*$/;

function nameOf(character: string): string {
	const point = character.codePointAt(0) ?? 0;
	const code = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
	const known = names[point];
	return known ? `${known} ${code}` : code;
}

/** Parts of agent text, so that invisible characters can be shown as chips. Joined they are the text. */
export function visibleParts(text: string): TextPart[] {
	if (onlyPlain.test(text)) return [{ kind: 'text', text }];
	const parts: TextPart[] = [];
	let from = 0;
	for (const match of text.matchAll(unseen)) {
		const character = match[0];
		if (character === '\n' || character === '\t') continue;
		if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) });
		parts.push({ kind: 'mark', text: character, name: nameOf(character) });
		from = match.index + character.length;
	}
	if (from < text.length || parts.length === 0) parts.push({ kind: 'text', text: text.slice(from) });
	return parts;
}

export function countUnseen(text: string): number {
	return visibleParts(text).filter((part) => part.kind === 'mark').length;
}

/** Indented JSON. Never throws: what JSON cannot write becomes plain text. */
export function prettyValue(value: unknown): string {
	if (typeof value === 'string') return value;
	try {
		return JSON.stringify(value, null, 2) ?? String(value);
	} catch {
		return String(value);
	}
}

/** The first `max` UTF-16 units without splitting a pair, and how many were left out. */
export function cutText(text: string, max: number): { text: string; left: number } {
	if (text.length <= max) return { text, left: 0 };
	const last = text.charCodeAt(max - 1);
	const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max;
	return { text: text.slice(0, end), left: text.length - end };
}

/** For attributes, terminals and files, where no chip can be drawn: `[name]` in place of each invisible character. */
export function visibleString(text: string): string {
	return visibleParts(text)
		.map((part) => (part.kind === 'text' ? part.text : `[${part.name}]`))
		.join('');
}
