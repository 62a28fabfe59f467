/** The last part of a path: `/bin/rm` and `./rm` run the same program as `rm`. */
export function commandName(word: string): string {
	return word.slice(word.lastIndexOf('/') + 1);
}

/**
 * The first pattern that a command meets (seed 003): one that ends in ":" is a prefix, any other the whole name. Of a
 * path only the last part counts, on both sides. Capitals count as small letters, since some file systems do not tell
 * them apart.
 */
export function matchingPattern(word: string, patterns: readonly string[]): string | undefined {
	const whole = word.toLowerCase();
	const names = [whole, commandName(whole)];
	return patterns.find((pattern) => {
		const wanted = commandName(pattern).toLowerCase();
		if (wanted === '') return false;
		return names.some((name) => (wanted.endsWith(':') ? name.startsWith(wanted) : name === wanted));
	});
}
