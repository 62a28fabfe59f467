/*
 * The programs of the server, the hook's files and what they read beside them, into one folder, for a clone or for the
 * package that is installed.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build, formatMessages } from 'esbuild';
import { bundleHook } from './bundle-hook.mjs';
import { ROOT } from './requirements.mjs';

const ENTRY_POINTS = [
	'server/cli/signalbox.ts',
	'server/door/door-thread.ts',
	'server/timeline/store/journal-worker.ts',
	'server/timeline/store/checkpoint-worker.ts',
	'server/connect/otlp/decode-worker.ts',
	'hooks-bridge/shell/agent-shell.ts',
	'lib/validators/validators.ts',
];

/** What packages written for `require` ask of the file that they are bundled into. */
const REQUIRE =
	"import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Packages that Next or a binary ties to node_modules. All others go inside: finding them there was a third of a start. */
const OUTSIDE = ['next', 'next/*', 'react', 'react/*', 'react-dom', 'react-dom/*', '@photostructure/sqlite'];

/** For a clone: a fault names the line of its source. */
export const FOR_CLONE = { sourcemap: true, sourcesContent: false };

/** For the package that is installed: without what only a reader needs. */
export const FOR_PACKAGE = { minifySyntax: true, minifyWhitespace: true, legalComments: 'none' };

/** Copies server/store/a/migrations to FOLDER/a/migrations, so that the same relative path holds from both. */
function copyMigrations(from, folder) {
	for (const entry of readdirSync(from, { withFileTypes: true }).filter((found) => found.isDirectory())) {
		const path = join(from, entry.name);
		if (entry.name !== 'migrations') copyMigrations(path, folder);
		else cpSync(path, join(folder, relative(join(ROOT, 'server/timeline/store'), path)), { recursive: true });
	}
}

/**
 * Writes the programs into `folder` (absolute). Split, so that a command loads only what it needs; every piece lies in the
 * folder itself, so that paths beside a piece hold. Gives esbuild's list of what went into them.
 */
export async function bundlePrograms(folder, form) {
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(folder)) if (/^chunk-.*\.js(\.map)?$/.test(name)) rmSync(join(folder, name));
	const { metafile, warnings } = await build({
		absWorkingDir: ROOT,
		bundle: true,
		platform: 'node',
		target: 'node20',
		// What fails is said once, by whoever called this.
		logLevel: 'silent',
		entryPoints: ENTRY_POINTS,
		outdir: folder,
		entryNames: '[name]',
		chunkNames: 'chunk-[hash]',
		splitting: true,
		format: 'esm',
		metafile: true,
		external: OUTSIDE,
		banner: { js: REQUIRE },
		...form,
	});
	for (const text of await formatMessages(warnings, { kind: 'warning' })) console.warn(text);
	chmodSync(join(folder, 'signalbox.js'), 0o755);
	for (const { name, text, mode } of await bundleHook()) {
		writeFileSync(join(folder, name), text);
		chmodSync(join(folder, name), mode);
	}
	copyMigrations(join(ROOT, 'server/timeline/store'), folder);
	cpSync(join(ROOT, 'server/hub/database/migrations'), join(folder, 'migrations'), { recursive: true });
	mkdirSync(join(folder, 'demo'), { recursive: true });
	cpSync(join(ROOT, 'server/cli/demo'), join(folder, 'demo'), { recursive: true });
	return metafile;
}
