import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { missingPackages } from './requirements.mjs';

const system = { os: 'linux', cpu: 'x64', libc: 'glibc' } as const;

test('a package that npm left out is missing, also an optional one that holds the program for this system', () => {
	const wanted = {
		'': {},
		'node_modules/esbuild': { version: '1.0.0' },
		'node_modules/@esbuild/linux-x64': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'] },
		'node_modules/@esbuild/darwin-arm64': { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] },
		'node_modules/swc-musl': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['musl'] },
		'node_modules/swc-gnu': { version: '1.0.0', optional: true, os: ['linux'], cpu: ['x64'], libc: ['glibc'] },
		'node_modules/fancy': { version: '1.0.0', optional: true },
		'node_modules/vitest': { version: '1.0.0', dev: true },
	};
	const found = { 'node_modules/esbuild': { version: '0.9.0' } };
	const needed = ['node_modules/esbuild', 'node_modules/@esbuild/linux-x64', 'node_modules/swc-gnu'];
	expect(missingPackages(wanted, found, { system })).toEqual(needed);
	expect(missingPackages(wanted, found, { system, forTests: true })).toEqual([...needed, 'node_modules/vitest']);
	expect(missingPackages(wanted, wanted, { system, forTests: true })).toEqual([]);
});

test('running and building need at most 335 packages of the lock', () => {
	const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
	expect(missingPackages(packages, {}, { system }).length).toBeLessThanOrEqual(335);
});
