const BREAKS = /[\t\n\r\u2028\u2029]+/g;
const ESCAPE_SEQUENCES = /\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|\][^\p{Cc}]*)/gu;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu;

/**
 * Agent text made safe for one line of a terminal or a message: escape sequences, control, bidi and
 * other invisible characters are gone, breaks become spaces, and it is at most `max` code points long.
 */
export function printable(text: string, max = 200): string {
	const line = clip(text, max * 4)
		.replace(BREAKS, ' ')
		.replace(ESCAPE_SEQUENCES, '')
		.replace(INVISIBLE, '')
		.trim();
	return clip(line, max);
}

/** The first `max` UTF-16 units of a text, with an ellipsis where something was cut; never half a character. */
export function clip(text: string, max: number): string {
	return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
