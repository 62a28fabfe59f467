/** What a person tries on history. */
export interface Tried {
	/** Patterns with spaces between; null leaves each day's own list. */
	exclude: string | null;
	/** `true` or `false` by the gate's setting; what is not in it stays as it was. */
	gates: Readonly<Record<string, boolean>>;
	onMismatch: '' | 'stop' | 'deny';
	/** The most reviews of a supervisor; empty leaves it. */
	reviews: string;
}

/** The settings by their whole path, as the server and the config file take them. */
export function triedSettings({ exclude, gates, onMismatch, reviews }: Tried): Record<string, unknown> {
	return {
		...(exclude !== null && { 'commands.exclude': exclude.split(/[\s,]+/u).filter(Boolean) }),
		...Object.fromEntries(Object.entries(gates).map(([name, enabled]) => [`gates.${name}.enabled`, enabled])),
		...(onMismatch !== '' && { 'gates.routing.onMismatch': onMismatch }),
		...(reviews.trim() !== '' && { 'supervisor.maxIterations': Number(reviews) }),
	};
}
