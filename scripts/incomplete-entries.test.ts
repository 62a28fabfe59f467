import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { incompleteEntries } from './incomplete-entries.mjs';

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
