/*
 * `npm run build`: the pages into .next, the programs into dist. The pages are built only when what goes into them
 * has changed; the programs take milliseconds and are always built.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { bundleHook } from './bundle-hook.mjs';
import { hashPageInputs } from './page-inputs.mjs';
import { ROOT } from './requirements.mjs';

const DIST = join(ROOT, 'dist');
const PAGES_STAMP = join(ROOT, '.next/inputs.sha256');
const SHARED = { absWorkingDir: ROOT, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

function buildPages() {
	const inputs = hashPageInputs();
	if (existsSync(PAGES_STAMP) && readFileSync(PAGES_STAMP, 'utf8') === inputs) return;
	rmSync(PAGES_STAMP, { force: true });
	const { status } = spawnSync(process.execPath, [join(ROOT, 'node_modules/next/dist/bin/next'), 'build'], {
		cwd: ROOT,
		stdio: ['ignore', 'inherit', 'inherit'],
		env: { ...process.env, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' },
	});
	if (status !== 0) process.exit(status ?? 1);
	writeFileSync(PAGES_STAMP, inputs);
}

/**
 * The programs of the server: packages stay outside and are loaded from node_modules. Split, so that a command loads
 * only what it needs; every piece lies in dist itself, so that paths beside a piece hold.
 */
async function buildPrograms(entryPoints) {
	for (const name of readdirSync(DIST)) if (/^chunk-.*\.js(\.map)?$/.test(name)) rmSync(join(DIST, name));
	await build({
		...SHARED,
		entryPoints,
		outdir: 'dist',
		entryNames: '[name]',
		chunkNames: 'chunk-[hash]',
		splitting: true,
		format: 'esm',
		packages: 'external',
		sourcemap: true,
	});
}

/** Copies server/store/a/migrations to dist/a/migrations, so that the same relative path holds from both. */
function copyMigrations(folder) {
	for (const entry of readdirSync(folder, { withFileTypes: true }).filter((found) => found.isDirectory())) {
		const path = join(folder, entry.name);
		if (entry.name !== 'migrations') copyMigrations(path);
		else cpSync(path, join(DIST, relative(join(ROOT, 'server/timeline/store'), path)), { recursive: true });
	}
}

buildPages();
mkdirSync(DIST, { recursive: true });
const LIBRARIES = ['hooks-bridge/shell/agent-shell.ts', 'lib/validators/validators.ts'];
await buildPrograms([
	'server/cli/signalbox.ts',
	'server/door/door-thread.ts',
	'server/timeline/store/journal-worker.ts',
	'server/timeline/store/checkpoint-worker.ts',
	'server/connect/otlp/decode-worker.ts',
	...LIBRARIES,
]);
chmodSync(join(DIST, 'signalbox.js'), 0o755);
for (const { name, text } of await bundleHook()) writeFileSync(join(DIST, name), text);
cpSync(join(ROOT, 'hooks-bridge/hook/hook.sh'), join(DIST, 'hook.sh'));
chmodSync(join(DIST, 'hook.sh'), 0o755);
copyMigrations(join(ROOT, 'server/timeline/store'));
cpSync(join(ROOT, 'server/hub/database/migrations'), join(DIST, 'migrations'), { recursive: true });
mkdirSync(join(DIST, 'demo'), { recursive: true });
cpSync(join(ROOT, 'server/cli/demo/session.jsonl'), join(DIST, 'demo/session.jsonl'));
