/*
 * `npm run bench [NAME ...] [--against COMMIT]`: runs the named benchmarks, or all of them, one after the other, each in a
 * process of its own. They print; nothing is asserted. They measure what `npm run build` has built. With `--against` an
 * older commit is built beside it, and `door` and `hook` measure both in turns.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildOlder } from './rig/older-build.mjs';

const HERE = import.meta.dirname;
const NAMES = [
	'hook',
	'door',
	'beside',
	'decide',
	'agents',
	'delivery',
	'paint',
	'long-session',
	'first-load',
	'tail',
	'idle',
	'search',
	'archive',
	'archive-keep',
	'hub',
	'hub-load',
	'replicas',
	'hub-decide',
	'wall',
	'wall-memory',
	'otlp',
	'install',
	'commands',
];

/** Those that can measure an older build beside this one. */
const COMPARING = ['hook', 'door'];

const { values, positionals: asked } = parseArgs({ allowPositionals: true, options: { against: { type: 'string' } } });
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
const names = asked.length > 0 ? asked : values.against === undefined ? NAMES : COMPARING;
const alone = names.filter((name) => !COMPARING.includes(name));
if (values.against !== undefined && alone.length > 0) {
	console.error(`bench: ${alone.join(', ')} cannot be measured against a commit; ${COMPARING.join(' and ')} can`);
	process.exit(2);
}
// What runs is ended first, and what it leaves is removed.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
const older = values.against === undefined ? undefined : buildOlder(values.against);
process.on('exit', () => older?.remove());
if (older) Object.assign(env, { SIGNALBOX_BENCH_OLDER: older.folder, SIGNALBOX_BENCH_COMMIT: values.against });
let failed = false;
for (const name of names) {
	const file = [`${name}.ts`, `${name}.mjs`].map((found) => join(HERE, found)).find((found) => existsSync(found));
	const { status } = spawnSync(process.execPath, ['--import', 'tsx', file], { stdio: 'inherit', env });
	if (status !== 0) failed = true;
}
process.exit(failed ? 1 : 0);
