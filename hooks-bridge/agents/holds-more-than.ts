const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/**
 * Whether JSON text holds more than `most` values, judged without parsing it: a few megabytes of small keys cost
 * seconds to parse, copy and digest, while every other hook waits. Counts commas outside strings: what merely nests
 * is cheap, and `limitDepth` sees to it.
 */
export function holdsMoreThan(json: string, most: number): boolean {
	// Each value beside its neighbour takes a comma and one character more.
	if (json.length < most * 2) return false;
	let values = 1;
	let quoted = false;
	for (let at = 0; at < json.length; at++) {
		const code = json.charCodeAt(at);
		if (quoted) {
			if (code === BACKSLASH) at++;
			else if (code === QUOTE) quoted = false;
		} else if (code === QUOTE) quoted = true;
		else if (code === COMMA && ++values > most) return true;
	}
	return false;
}
