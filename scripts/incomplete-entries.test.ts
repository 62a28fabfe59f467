import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { incompleteEntries } from './incomplete-entries.mjs';
import { setTestedEngines } from './tested-engines.mjs';

test('R2401 every package of the lock has an integrity, those of other platforms too', () => {
	const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
	expect(Object.keys(lock.packages).length).toBeGreaterThan(100);
	expect(incompleteEntries(lock)).toEqual([]);
});

test('R2401 an entry without an integrity, and an optional package without an entry, are found', () => {
	const packages = {
		'': { optionalDependencies: { here: '1' } },
		'node_modules/here': { integrity: 'sha512-x', optionalDependencies: { above: '1', gone: '1' } },
		'node_modules/above': {},
		'node_modules/here/node_modules/bundled': { inBundle: true },
		'node_modules/a/node_modules/b': { integrity: 'sha512-x', optionalDependencies: { here: '1' } },
	};
	expect(incompleteEntries({ packages })).toEqual(['node_modules/above', 'node_modules/gone']);
});

test('R2704 no package of the lock that running or building needs asks for a newer Node than the repository does', () => {
	const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
	expect(setTestedEngines({ packages }).packages).toEqual(packages);
	const oldest = packages[''].engines.node.replace('>=', '');
	const demanding = Object.entries<LockEntry>(packages).filter(
		([, { dev, optional, engines }]) => !dev && !optional && engines?.node && !allows(engines.node, oldest),
	);
	expect(demanding.map(([path]) => path)).toEqual([]);
});

interface LockEntry {
	dev?: boolean;
	optional?: boolean;
	engines?: { node?: string };
}

/** Whether a range of versions holds one: as npm reads it, with the copy of semver that Next brings. */
function allows(range: string, version: string): boolean {
	return createRequire(import.meta.url)('next/dist/compiled/semver').satisfies(`${version}.0`, range);
}
