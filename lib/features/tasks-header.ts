/** What the frontmatter of a tasks.md may say. Other keys stay as they are and are not read. */
export const HEADER_KEYS = ['feature', 'status', 'workflow', 'created', 'archivedAt'] as const;
export type HeaderKey = (typeof HEADER_KEYS)[number];

const HEADER = /^\ufeff?---[ \t]*\r?\n(?:[\s\S]*?\r?\n)?---[ \t]*(?:\r?\n|$)/;

/** Where the text begins after its frontmatter; 0 where there is none. */
export function bodyStart(text: string): number {
	return HEADER.exec(text)?.[0].length ?? 0;
}

/** The known values of the frontmatter, as text. A key that comes twice has its first value. */
export function parseHeader(text: string): Partial<Record<HeaderKey, string>> {
	const found: Partial<Record<HeaderKey, string>> = {};
	for (const line of text.slice(0, bodyStart(text)).split('\n')) {
		const [, key, value] = /^([A-Za-z]+):(.*)$/.exec(line.trimEnd()) ?? [];
		const known = HEADER_KEYS.find((name) => name === key);
		if (known && value !== undefined) found[known] ??= unquoted(value.trim());
	}
	return found;
}

/** The text with some header values set: a known line is replaced, a new one added last. Every other byte stays. */
export function withHeader(text: string, values: Partial<Record<HeaderKey, string>>): string {
	const eol = /\r\n/.test(text.slice(0, text.indexOf('\n') + 1)) ? '\r\n' : '\n';
	const end = bodyStart(text);
	let header = end > 0 ? text.slice(0, end) : `---${eol}---${eol}${eol}`;
	for (const key of HEADER_KEYS) {
		const value = values[key];
		if (value !== undefined) header = withLine(header, key, value, eol);
	}
	return header + text.slice(end);
}

function withLine(header: string, key: HeaderKey, value: string, eol: string): string {
	const line = new RegExp(`^${key}:[^\\r\\n]*`, 'm');
	if (line.test(header)) return header.replace(line, () => `${key}: ${value}`);
	const close = header.lastIndexOf('---');
	return `${header.slice(0, close)}${key}: ${value}${eol}${header.slice(close)}`;
}

function unquoted(value: string): string {
	return /^(["']).*\1$/.test(value) && value.length > 1 ? value.slice(1, -1) : value;
}
