/**
 * Where in a package-lock.json a package lacks its integrity, or an optional package is named but has no entry. What
 * comes inside another package's file (`inBundle`) is covered by that one's integrity.
 *
 * @param {{ packages: Record<string, Entry> }} lock
 * @returns {string[]} sorted
 *
 * @typedef {{ integrity?: string, inBundle?: boolean, link?: boolean, optionalDependencies?: Record<string, string> }} Entry
 */
export function incompleteEntries({ packages }) {
	const unproven = Object.entries(packages).filter(
		([place, { integrity, inBundle, link }]) => place !== '' && !integrity && !inBundle && !link,
	);
	const missing = Object.entries(packages).flatMap(([parent, { optionalDependencies = {} }]) =>
		Object.keys(optionalDependencies)
			.filter((name) => !isFound(packages, parent, name))
			.map((name) => `node_modules/${name}`),
	);
	return [...new Set([...unproven.map(([place]) => place), ...missing])].sort();
}

/** Whether `name` is found from `parent`, looking upwards as Node does. */
function isFound(packages, parent, name) {
	for (let from = parent; ; from = from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/')))) {
		if (packages[`${from}/node_modules/${name}`.replace(/^\//, '')]) return true;
		if (from === '') return false;
	}
}
