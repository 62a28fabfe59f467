/*
 * Adds to package-lock.json the optional packages of other platforms that npm left out.
 *
 * A registry that serves only this platform's binaries makes npm drop the others from the lock, and `npm ci` then
 * refuses that very lock ("Missing: ... from lock file"). Run this after every change of a dependency.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { platformOf } from './package-platform.mjs';

const LOCK = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(LOCK, 'utf8'));
const packages = lock.packages;

/** The place in the tree where `name` is found from `from`, looking upwards as Node does, or undefined. */
function resolve(from, name) {
	const place = `${from}/node_modules/${name}`.replace(/^\//, '');
	if (packages[place]) return place;
	if (from === '') return undefined;
	return resolve(from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

let added = 0;
for (const [parent, entry] of Object.entries(packages)) {
	for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
		const found = resolve(parent, name);
		// Only an exact version can be written down without asking the registry.
		if (packages[found]?.version === version || !/^\d/.test(version)) continue;
		const place = found ? `${parent}/node_modules/${name}` : `node_modules/${name}`;
		packages[place] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true };
		added += 1;
	}
}

if (added > 0) {
	const sorted = Object.entries(packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
	lock.packages = Object.fromEntries(sorted);
	writeFileSync(LOCK, `${JSON.stringify(lock, null, 2)}\n`);
}
console.log(added === 0 ? 'package-lock.json is complete' : `package-lock.json: ${added} optional packages added`);
