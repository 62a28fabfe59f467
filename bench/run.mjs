/*
 * `npm run bench [NAME ...]`: runs the named benchmarks, or all of them, one after the other, each in a process of its
 * own. They print; nothing is asserted. They measure what `npm run build` has built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const HERE = import.meta.dirname;
const NAMES = ['hook', 'door', 'decide', 'delivery', 'paint', 'long-session', 'first-load', 'tail', 'idle'];

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
	console.error(`bench: there is no ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
	process.exit(2);
}
if (!existsSync(join(HERE, '../dist/signalbox.js'))) {
	console.error('bench: nothing is built yet; run `npm run build` first');
	process.exit(2);
}
// Certificates of the machine add 47 ms to every start of node.
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
let failed = false;
for (const name of asked.length > 0 ? asked : NAMES) {
	const file = [`${name}.ts`, `${name}.mjs`].map((found) => join(HERE, found)).find((found) => existsSync(found));
	const { status } = spawnSync(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit', env });
	if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
