/** Also in package.json, which an older Node does not check before it runs the program. */
const MIN_NODE = [20, 19] as const;

/** What to report about a Node (`process.versions.node`) that is too old; null for any other. */
export function nodeProblem(version: string): string | null {
	const [major = 0, minor = 0] = version.split('.').map(Number);
	if (major > MIN_NODE[0] || (major === MIN_NODE[0] && minor >= MIN_NODE[1])) return null;
	return `Signalbox needs Node ${MIN_NODE.join('.')} or newer; this is ${version}. Install a newer Node, then try again.`;
}
