import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { findPackageRoot } from '../package-root.ts';

const STORE = join(import.meta.dirname, '../store');

/**
 * Builds `desk-child.ts` into a folder of its own, since a server that starts from source takes five times as long,
 * and tests kill a thousand. It lies below node_modules, where its imports are found. Gives the program, and how it is removed.
 */
export async function buildDeskChild(): Promise<{ program: string; remove(): void }> {
	const root = findPackageRoot();
	const cache = join(root, 'node_modules/.cache');
	makeFolder(cache);
	const outdir = mkdtempSync(join(cache, 'desk-child-'));
	await build({
		entryPoints: [join(import.meta.dirname, 'desk-child.ts'), join(STORE, 'journal-worker.ts')],
		outdir,
		entryNames: '[name]',
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		packages: 'external',
	});
	cpSync(join(STORE, 'migrations'), join(outdir, 'migrations'), { recursive: true });
	return { program: join(outdir, 'desk-child.js'), remove: () => rmSync(outdir, { recursive: true }) };
}
