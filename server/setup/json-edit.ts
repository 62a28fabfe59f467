/** Keys and indexes from the root to a value. */
export type JsonPath = readonly (string | number)[];

interface Style {
	unit: string;
	newline: string;
}

function styleOf(text: string): Style {
	return { unit: /\n([\t ]+)\S/.exec(text)?.[1] ?? '  ', newline: text.includes('\r\n') ? '\r\n' : '\n' };
}

function indentAt(text: string, offset: number): string {
	const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
	return /^[\t ]*/.exec(line)?.[0] ?? '';
}

function print(value: unknown, style: Style, indent: string): string {
	return JSON.stringify(value, null, style.unit).replaceAll('\n', `${style.newline}${indent}`);
}

function splice(text: string, start: number, end: number, replacement: string): string {
	return text.slice(0, start) + replacement + text.slice(end);
}

function childrenOf(container: Span): { start: number; end: number }[] {
	return container.members?.map(({ start, value }) => ({ start, end: value.end })) ?? container.elements ?? [];
}

/**
 * Adds a member (with `key`) or element at the end of a container, in the style around it; all else stays. Throws without such a
 * container.
 */
export function appendAt(text: string, path: JsonPath, value: unknown, key?: string): string {
	const container = spanAt(spansOf(text), path);
	if (container === undefined || (container.members ?? container.elements) === undefined) {
		throw new Error(`There is no list or object at ${path.join('.')}.`);
	}
	const style = styleOf(text);
	const label = key === undefined ? '' : `${JSON.stringify(key)}:`;
	const last = childrenOf(container).at(-1);
	const first = childrenOf(container)[0];
	if (last === undefined || first === undefined) {
		const outer = indentAt(text, container.start);
		const inner = outer + style.unit;
		const body = `${style.newline}${inner}${label && `${label} `}${print(value, style, inner)}${style.newline}${outer}`;
		return splice(text, container.start + 1, container.end - 1, body);
	}
	const lead = text.slice(container.start + 1, first.start);
	if (!lead.includes('\n')) {
		const gap = lead === '' && !text.includes('\n') ? '' : ' ';
		return splice(text, last.end, last.end, `,${gap}${label}${label && gap}${JSON.stringify(value)}`);
	}
	const inner = indentAt(text, first.start);
	const body = `,${style.newline}${inner}${label && `${label} `}${print(value, style, inner)}`;
	return splice(text, last.end, last.end, body);
}

/** Replaces the value at `path`; every other byte stays. Throws if there is none. */
export function replaceAt(text: string, path: JsonPath, value: unknown): string {
	const span = spanAt(spansOf(text), path);
	if (span === undefined) throw new Error(`There is nothing at ${path.join('.')}.`);
	return splice(text, span.start, span.end, print(value, styleOf(text), indentAt(text, span.start)));
}

/** Removes the member or element at `path` with its comma; does nothing if there is none. */
export function removeAt(text: string, path: JsonPath): string {
	const container = spanAt(spansOf(text), path.slice(0, -1));
	const step = path.at(-1);
	if (container === undefined || step === undefined) return text;
	const children = childrenOf(container);
	const index = typeof step === 'number' ? step : (container.members ?? []).findLastIndex(({ key }) => key === step);
	const child = children[index];
	if (child === undefined) return text;
	const before = children[index - 1];
	const after = children[index + 1];
	if (before !== undefined) return splice(text, before.end, child.end, '');
	if (after !== undefined) return splice(text, child.start, after.start, '');
	return splice(text, container.start + 1, container.end - 1, '');
}

/** Position of a value in a JSON text. Offsets are UTF-16 units; `end` is exclusive. */
interface Span {
	start: number;
	end: number;
	/** Members of an object, in order, duplicates included; undefined for anything else. */
	members?: Member[];
	elements?: Span[];
}

interface Member {
	key: string;
	start: number;
	value: Span;
}

const SPACE = /[\t\n\r ]*/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const ATOM = /[^\t\n\r ,\]}]+/y;

/** The spans of a text that JSON.parse accepts; undefined behaviour for any other text. */
function spansOf(text: string): Span {
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
function spanAt(root: Span, path: readonly (string | number)[]): Span | undefined {
	let span: Span | undefined = root;
	for (const step of path) {
		span =
			typeof step === 'number' ? span?.elements?.[step] : span?.members?.findLast(({ key }) => key === step)?.value;
	}
	return span;
}
