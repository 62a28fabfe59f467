import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { findPackageRoot } from '../process/package-root.ts';

const ROOT = join(import.meta.dirname, '../..');
const STORE = join(ROOT, 'server/timeline/store');
const CHILDREN = ['server/testing', 'hooks-bridge/testing'];
/** Of packages: what is no file to bundle, and what only few programs load, and late. */
const SELDOM = ['@photostructure/sqlite', 'next', '@aws-sdk/*', '@opentelemetry/*', '@modelcontextprotocol/*', 'pkijs'];
/** For packages that are CommonJS. */
const REQUIRE =
	"import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

const shared = { bundle: true, format: 'esm', platform: 'node', packages: 'bundle', entryNames: '[name]' } as const;

/** A folder for what tests start; below node_modules, where its imports are found. */
export function makeProgramFolder(): { folder: string; remove(): void } {
	const cache = join(findPackageRoot(), 'node_modules/.cache');
	makeFolder(cache);
	const folder = mkdtempSync(join(cache, 'built-for-tests-'));
	cpSync(join(STORE, 'migrations'), join(folder, 'migrations'), { recursive: true });
	return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

/** Builds the threads of the journal and the door: from source they take five times as long to start. */
export async function buildThreads(folder: string): Promise<void> {
	const entryPoints = [join(STORE, 'journal-worker.ts'), join(ROOT, 'server/door/door-thread.ts')];
	await build({ ...shared, entryPoints, outdir: folder, splitting: true, external: SELDOM.slice(0, 1) });
}

/** Builds each `*-child.ts` beside the threads: from source it takes a second to start. */
export async function buildChildren(folder: string): Promise<void> {
	const entryPoints = CHILDREN.flatMap((testing) =>
		readdirSync(join(ROOT, testing))
			.filter((name) => name.endsWith('-child.ts'))
			.map((name) => join(ROOT, testing, name)),
	);
	await build({ ...shared, entryPoints, outdir: folder, splitting: true, external: SELDOM, banner: { js: REQUIRE } });
}
