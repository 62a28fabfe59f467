import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeProblem } from './oldest-node.ts';
import { findPackageRoot } from './package-root.ts';

test('a Node older than package.json asks for is named, with what to do', () => {
	const { engines } = JSON.parse(readFileSync(join(findPackageRoot(), 'package.json'), 'utf8'));
	const oldest = engines.node.replace('>=', '');
	expect([`${oldest}.0`, '20.20.2', '22.0.0', '100.1.0'].map(nodeProblem)).toEqual([null, null, null, null]);
	for (const version of ['18.20.8', '20.0.0', '20.18.9']) {
		expect(nodeProblem(version)).toBe(
			`Signalbox needs Node ${oldest} or newer; this is ${version}. Install a newer Node, then try again.`,
		);
	}
});
