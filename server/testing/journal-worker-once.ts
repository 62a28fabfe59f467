import { join } from 'node:path';
import { type BuiltPrograms, buildBesideStore } from './build-beside-store.ts';

let built: BuiltPrograms | undefined;

/**
 * Before all tests: builds the journal's worker, which every test with a journal starts, and tells where it is
 * (`journal-worker-from-source.mjs` reads that).
 */
export async function setup(): Promise<void> {
	built = await buildBesideStore();
	process.env.SIGNALBOX_BUILT_JOURNAL_WORKER = join(built.folder, 'journal-worker.js');
}

/** After the last test. */
export function teardown(): void {
	built?.remove();
}
