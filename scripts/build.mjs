/*
 * `npm run build`: the pages into .next, the programs into dist, side by side. The pages are built only when what goes into
 * them has changed; the programs take milliseconds and are always built.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePrograms, FOR_CLONE } from './bundle-programs.mjs';
import { hashPageInputs } from './page-inputs.mjs';
import { adviceOnFailure, exitWithAdvice, RequirementError, ROOT, requireNode, secondsSince } from './requirements.mjs';

const PAGES_STAMP = join(ROOT, '.next/inputs.sha256');

async function buildPages(signal) {
	const inputs = hashPageInputs();
	if (existsSync(PAGES_STAMP) && readFileSync(PAGES_STAMP, 'utf8') === inputs) return;
	rmSync(PAGES_STAMP, { force: true });
	console.log('Pages: building, about 20 seconds');
	const started = performance.now();
	const next = spawn(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
		cwd: ROOT,
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
		signal,
	});
	const said = [];
	for (const stream of [next.stdout, next.stderr]) stream.on('data', (piece) => said.push(piece));
	const [status] = await once(next, 'close');
	if (status !== 0) {
		process.stderr.write(Buffer.concat(said));
		throw new RequirementError(`The pages could not be built. ${adviceOnFailure('See above.')}`);
	}
	writeFileSync(PAGES_STAMP, inputs);
	console.log(`Pages: built in ${secondsSince(started)} s`);
}

async function buildPrograms() {
	try {
		await bundlePrograms(join(ROOT, 'dist'), FOR_CLONE);
	} catch (error) {
		throw new RequirementError(`The programs could not be built. ${adviceOnFailure(error.message)}`);
	}
}

// Where one of the two fails, the other is not waited for.
const failed = new AbortController();
try {
	requireNode();
	await Promise.all([buildPages(failed.signal), buildPrograms()]);
} catch (error) {
	failed.abort();
	exitWithAdvice(error);
}
