/** The colours with names; numbered ones are shown without. */
export const ansiColours = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const;
export type AnsiColour = (typeof ansiColours)[number];

/** No style makes text invisible. */
export interface AnsiLook {
	colour?: AnsiColour;
	isBold?: true;
	isDim?: true;
	isItalic?: true;
	isUnderlined?: true;
}

export interface AnsiSpan extends AnsiLook {
	text: string;
}

const STYLE_SEQUENCE = new RegExp(String.raw`${String.fromCharCode(27)}\[([\d;:]{0,64})m`, 'g');
/** What follows after so many spans is one more: each is an element of the page. */
const MAX_SPANS = 3000;

export function hasAnsi(text: string): boolean {
	return text.search(STYLE_SEQUENCE) !== -1;
}

export const withoutAnsi = (text: string): string => text.replaceAll(STYLE_SEQUENCE, '');

/** Joined, the spans are the text without the sequences. */
export function ansiSpans(text: string): AnsiSpan[] {
	const spans: AnsiSpan[] = [];
	let look: AnsiLook = {};
	let from = 0;
	for (const found of text.matchAll(STYLE_SEQUENCE)) {
		if (found.index > from) spans.push({ text: text.slice(from, found.index), ...look });
		from = found.index + found[0].length;
		look = withCodes(look, found[1] ?? '');
		if (spans.length < MAX_SPANS) continue;
		look = {};
		break;
	}
	const rest = text.slice(from).replaceAll(STYLE_SEQUENCE, '');
	return rest === '' ? spans : [...spans, { text: rest, ...look }];
}

function withCodes(before: AnsiLook, codes: string): AnsiLook {
	let look = before;
	const numbers = codes.split(/[;:]/).map(Number);
	for (let index = 0; index < numbers.length; index++) {
		const code = numbers[index] ?? 0;
		// A colour by its number (`38;5;N`), or by red, green and blue (`38;2;R;G;B`); 48 is that of the background.
		if (code === 38 || code === 48) {
			const isNumbered = numbers[index + 1] === 5;
			if (code === 38) look = withColour(look, isNumbered ? numbers[index + 2] : undefined);
			index += isNumbered ? 2 : 4;
		} else look = withCode(look, code);
	}
	return look;
}

function withCode(look: AnsiLook, code: number): AnsiLook {
	const { colour: _colour, ...plain } = look;
	switch (code) {
		case 0:
			return {};
		case 1:
			return { ...look, isBold: true };
		case 2:
			return { ...look, isDim: true };
		case 3:
			return { ...look, isItalic: true };
		case 4:
			return { ...look, isUnderlined: true };
		case 22: {
			const { isBold: _bold, isDim: _dim, ...rest } = look;
			return rest;
		}
		case 23: {
			const { isItalic: _italic, ...rest } = look;
			return rest;
		}
		case 24: {
			const { isUnderlined: _underlined, ...rest } = look;
			return rest;
		}
		case 39:
			return plain;
		default:
			if (code >= 30 && code <= 37) return withColour(look, code - 30);
			return code >= 90 && code <= 97 ? withColour(look, code - 90) : look;
	}
}

/** The first sixteen numbers are the named colours, normal and bright. */
function withColour(look: AnsiLook, number: number | undefined): AnsiLook {
	const { colour: _colour, ...plain } = look;
	const colour = number === undefined || number > 15 ? undefined : ansiColours[number % 8];
	return colour ? { ...plain, colour } : plain;
}
