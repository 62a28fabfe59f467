/*
 * `npm run build`: the pages into .next, the programs into dist, side by side. The pages are built only when what goes into
 * them has changed; the programs take milliseconds and are always built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms, OUTSIDE } from './bundle-programs.mjs';
import { hashPageInputs } from './page-inputs.mjs';
import { exitWithAdvice, ROOT, requireNode, secondsSince } from './requirements.mjs';

const PAGES_STAMP = join(ROOT, '.next/inputs.sha256');

async function buildPages() {
	const inputs = hashPageInputs();
	if (existsSync(PAGES_STAMP) && readFileSync(PAGES_STAMP, 'utf8') === inputs) return;
	rmSync(PAGES_STAMP, { force: true });
	console.log('Pages: building, about 20 seconds');
	const started = performance.now();
	const next = spawn(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
	});
	const said = [];
	for (const stream of [next.stdout, next.stderr]) stream.on('data', (piece) => said.push(piece));
	const [status] = await once(next, 'close');
	if (status !== 0) {
		process.stderr.write(Buffer.concat(said));
		console.error('The pages could not be built: see above.');
		process.exit(status ?? 1);
	}
	writeFileSync(PAGES_STAMP, inputs);
	console.log(`Pages: built in ${secondsSince(started)} s`);
}

try {
	requireNode();
} catch (error) {
	exitWithAdvice(error);
}
await Promise.all([buildPages(), bundlePrograms(join(ROOT, 'dist'), OUTSIDE)]);
