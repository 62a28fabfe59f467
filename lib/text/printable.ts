const BREAKS = /[\t\n\r\u2028\u2029]+/g;
const ESCAPE_SEQUENCES = /\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*)/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/** Agent text for one line: no escape sequences, control or invisible characters, at most `max` code points. */
export function printable(text: string, max = 200): string {
	const line = clip(text, max * 4)
		.replace(BREAKS, ' ')
		.replace(ESCAPE_SEQUENCES, '')
		.replace(INVISIBLE, '')
		.trim();
	return clip(line, max);
}

/** The first `max` UTF-16 units with an ellipsis, never half a character. */
export function clip(text: string, max: number): string {
	return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Half surrogates become U+FFFD, as in addresses, databases and UTF-8. */
export function wellFormed(text: string): string {
	return text.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

/** `encodeURIComponent` alone throws at half a surrogate. */
export function addressPart(text: string): string {
	return encodeURIComponent(wellFormed(text));
}

/** Relative to the folder if inside, else unchanged. */
export function shortPath(text: string, folder: string | null): string {
	if (!folder || !text.startsWith(folder)) return text;
	const rest = text.slice(folder.length);
	return rest.startsWith('/') && rest.length > 1 ? rest.slice(1) : text;
}

const MAX_TITLE = 300;

/** Agent text as one bounded line: white space runs become one blank, nothing is interpreted. */
export function oneLine(text: string, max = MAX_TITLE): string {
	const line = text
		.slice(0, max * 4)
		.replace(/\s+/gu, ' ')
		.trim();
	return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** Text of a field that may have been moved to a blob. */
export function fieldText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'object' && value !== null && 'preview' in value && typeof value.preview === 'string') {
		return value.preview;
	}
	return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
}
