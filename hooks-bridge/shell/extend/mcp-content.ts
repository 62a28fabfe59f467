const MAX_TEXT = 1024 * 1024;

/** A tool's answer as text: texts as they are, everything else by what it is. Ends with a line break unless empty. */
export function contentText(result: Readonly<Record<string, unknown>>): string {
	const content: unknown[] = Array.isArray(result.content) ? result.content : [];
	const texts = content.length > 0 ? content.map(partText) : [asJson(result.structuredContent)];
	const text = texts.filter((part) => part !== '').join('\n');
	const cut =
		text.length > MAX_TEXT
			? `${text.slice(0, MAX_TEXT)}\n[... ${text.length - MAX_TEXT} characters left out ...]`
			: text;
	return cut === '' || cut.endsWith('\n') ? cut : `${cut}\n`;
}

function partText(part: unknown): string {
	const { type, text, mimeType, data, uri, resource } = fieldsOf(part);
	if (type === 'text' && typeof text === 'string') return text;
	const inner = fieldsOf(resource);
	if (typeof inner.text === 'string') return inner.text;
	const what = [type, mimeType, uri ?? inner.uri].filter((word) => typeof word === 'string').join(' ');
	return `[${what}${typeof data === 'string' ? `, ${data.length} characters of base64` : ''}]`;
}

function asJson(value: unknown): string {
	return value === undefined ? '' : JSON.stringify(value, null, 2);
}

function fieldsOf(value: unknown): Record<string, unknown> {
	return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
