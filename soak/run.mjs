/*
 * `npm run soak [NAME ...] [--seconds N] [--seed N]`: runs the named targets, or all of them, one after the other, each
 * in a process of its own. A target is a file here that prints its seed and its counts and exits with 1 when anything
 * was lost. They use what `npm run build` has built.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';

const HERE = import.meta.dirname;
const NAMES = readdirSync(HERE)
	.filter((file) => file.endsWith('.ts'))
	.map((file) => basename(file, '.ts'));

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { seconds: { type: 'string' }, seed: { type: 'string' } },
});
const unknown = positionals.filter((name) => !NAMES.includes(name));
if (unknown.length > 0) {
	console.error(`soak: there is no ${unknown.join(', ')}; there are ${NAMES.join(', ')}`);
	process.exit(2);
}
if (!existsSync(join(HERE, '../dist/signalbox.js'))) {
	console.error('soak: nothing is built yet; run `npm run build` first');
	process.exit(2);
}
const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
const args = Object.entries(values).flatMap(([name, value]) => [`--${name}`, value]);
let failed = false;
for (const name of positionals.length > 0 ? positionals : NAMES) {
	const target = ['--import', 'tsx', join(HERE, `${name}.ts`), ...args];
	if (spawnSync(process.execPath, target, { stdio: 'inherit', env }).status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
