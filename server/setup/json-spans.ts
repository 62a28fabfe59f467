/** Where a value stands in a JSON text. Offsets are UTF-16 units; `end` is exclusive. */
export interface Span {
	start: number;
	end: number;
	/** Members of an object, in order, duplicates included; undefined for anything else. */
	members?: Member[];
	/** Elements of an array. */
	elements?: Span[];
}

export interface Member {
	key: string;
	/** Start of the quoted key. */
	start: number;
	value: Span;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const ATOM = /[^\t\n\r ,\]}]+/y;

/** Finds the spans of a text that JSON.parse accepts; on any other text the result means nothing. */
export function spansOf(text: string): Span {
	let at = 0;
	const matchNext = (pattern: RegExp): string => {
		pattern.lastIndex = at;
		const found = pattern.exec(text)?.[0] ?? '';
		at += found.length;
		return found;
	};

	function list<T>(close: string, readOne: () => T): T[] {
		const found: T[] = [];
		at += 1;
		matchNext(SPACE);
		while (at < text.length && text[at] !== close) {
			found.push(readOne());
			matchNext(SPACE);
			if (text[at] === ',') at += 1;
			matchNext(SPACE);
		}
		at += 1;
		return found;
	}

	function member(): Member {
		const start = at;
		const key = JSON.parse(matchNext(STRING)) as string;
		matchNext(SPACE);
		at += 1;
		return { key, start, value: value() };
	}

	function value(): Span {
		matchNext(SPACE);
		const start = at;
		if (text[at] === '{') {
			const members = list('}', member);
			return { start, end: at, members };
		}
		if (text[at] === '[') {
			const elements = list(']', value);
			return { start, end: at, elements };
		}
		matchNext(text[at] === '"' ? STRING : ATOM);
		return { start, end: at };
	}

	return value();
}

/** The span at a path, or undefined. Of duplicate keys the last counts, as in JSON.parse. */
export function spanAt(root: Span, path: readonly (string | number)[]): Span | undefined {
	let span: Span | undefined = root;
	for (const step of path) {
		span =
			typeof step === 'number' ? span?.elements?.[step] : span?.members?.findLast(({ key }) => key === step)?.value;
	}
	return span;
}
