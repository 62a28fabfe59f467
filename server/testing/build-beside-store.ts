import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { findPackageRoot } from '../process/package-root.ts';

const STORE = join(import.meta.dirname, '../timeline/store');

/** Programs for tests in a folder of their own, and how it is removed. */
export interface BuiltPrograms {
	folder: string;
	remove(): void;
}

/**
 * Builds the threads of the journal and the door, and `programs` (absolute paths) into a folder, since what starts from source takes five times as
 * long. It lies below node_modules, where their imports are found.
 */
export async function buildBesideStore(programs: readonly string[] = []): Promise<BuiltPrograms> {
	const cache = join(findPackageRoot(), 'node_modules/.cache');
	makeFolder(cache);
	const folder = mkdtempSync(join(cache, 'built-for-tests-'));
	await build({
		entryPoints: [...programs, join(STORE, 'journal-worker.ts'), join(STORE, '../../door/door-thread.ts')],
		outdir: folder,
		entryNames: '[name]',
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'node',
		// The worker alone starts in a third of the time where its packages are one file with it; the driver is no file to bundle.
		packages: programs.length > 0 ? 'external' : 'bundle',
		external: ['@photostructure/sqlite'],
	});
	cpSync(join(STORE, 'migrations'), join(folder, 'migrations'), { recursive: true });
	return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
