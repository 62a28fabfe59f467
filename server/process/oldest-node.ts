/** Also in package.json, which an older Node does not check before it runs the program. */
const OLDEST = [20, 19] as const;

/** What to report about a Node (`process.versions.node`) that is too old; null for any other. */
export function nodeProblem(version: string): string | null {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return null;
	return `Signalbox needs Node ${OLDEST.join('.')} or newer; this is ${version}. Install a newer Node, then try again.`;
}
