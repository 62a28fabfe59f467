export type YamlValue = string | YamlValue[] | { [key: string]: YamlValue };

interface Line {
	indent: number;
	text: string;
}

const MAX_LINES = 5000;
const MAX_LINE_CHARS = 2000;
const MAX_DEPTH = 20;

/**
 * Maps, lists, scalars, lists in brackets, block texts and comments; scalars stay texts. Never throws: unknown syntax is
 * left out.
 */
export function readYamlSubset(text: string): YamlValue {
	const lines = text
		.split('\n', MAX_LINES)
		.map((whole) => whole.slice(0, MAX_LINE_CHARS))
		.map((raw) => ({ indent: raw.length - raw.trimStart().length, text: withoutComment(raw.trim()) }))
		.filter((line) => line.text !== '' && line.text !== '---');
	return block({ lines, next: 0 }, 0);
}

interface Cursor {
	lines: Line[];
	next: number;
}

const KEY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#[\]{},][^:#]{0,200}?)):(?:\s+(.*))?$/;

function block(cursor: Cursor, depth: number): YamlValue {
	const first = cursor.lines[cursor.next];
	if (!first || depth > MAX_DEPTH) return '';
	return /^-(\s|$)/.test(first.text) ? list(cursor, first.indent, depth) : map(cursor, first.indent, depth);
}

function list(cursor: Cursor, indent: number, depth: number): YamlValue[] {
	const items: YamlValue[] = [];
	for (let line = cursor.lines[cursor.next]; line && line.indent === indent; line = cursor.lines[cursor.next]) {
		const item = /^-(\s+)?(.*)$/.exec(line.text);
		if (!item) break;
		const rest = item[2] ?? '';
		if (rest === '') {
			cursor.next += 1;
			items.push(nested(cursor, indent, depth));
		} else if (KEY.test(rest) || /^-\s/.test(rest)) {
			// Text after the dash begins a nested block.
			cursor.lines[cursor.next] = { indent: indent + 1 + (item[1]?.length ?? 1), text: rest };
			items.push(block(cursor, depth + 1));
		} else {
			cursor.next += 1;
			items.push(scalar(rest));
		}
	}
	return items;
}

function map(cursor: Cursor, indent: number, depth: number): YamlValue {
	const found: [string, YamlValue][] = [];
	for (let line = cursor.lines[cursor.next]; line && line.indent >= indent; line = cursor.lines[cursor.next]) {
		const pair = line.indent === indent ? KEY.exec(line.text) : null;
		cursor.next += 1;
		if (!pair) continue;
		const key = pair[1] ?? pair[2] ?? pair[3] ?? '';
		const rest = pair[4] ?? '';
		if (/^[|>][+-]?$/.test(rest)) found.push([key, blockText(cursor, indent)]);
		else found.push([key, rest === '' ? nested(cursor, indent, depth, true) : scalar(rest)]);
	}
	return Object.fromEntries(found.filter(([key]) => key !== '__proto__'));
}

/** A list may be indented as deeply as its key. */
function nested(cursor: Cursor, indent: number, depth: number, underKey = false): YamlValue {
	const next = cursor.lines[cursor.next];
	if (!next) return '';
	const beside = underKey && next.indent === indent && /^-(\s|$)/.test(next.text);
	return next.indent > indent || beside ? block(cursor, depth + 1) : '';
}

function blockText(cursor: Cursor, indent: number): string {
	const texts: string[] = [];
	for (let line = cursor.lines[cursor.next]; line && line.indent > indent; line = cursor.lines[cursor.next]) {
		texts.push(line.text);
		cursor.next += 1;
	}
	return texts.join('\n');
}

function scalar(text: string): YamlValue {
	if (text.startsWith('[') && text.endsWith(']')) {
		const inner = text.slice(1, -1).trim();
		return inner === '' ? [] : inner.split(',').map((item) => unquoted(item.trim()));
	}
	return unquoted(text);
}

function unquoted(text: string): string {
	const quote = text[0];
	return text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote) ? text.slice(1, -1) : text;
}

function withoutComment(text: string): string {
	if (text.startsWith('#')) return '';
	const quoted = /^[^#]*["'].*["']\s*$/.test(text);
	return quoted ? text : text.replace(/\s#.*$/, '').trimEnd();
}
