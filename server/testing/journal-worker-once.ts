import { join } from 'node:path';
import { type BuiltPrograms, buildBesideStore } from './build-beside-store.ts';

let built: BuiltPrograms | undefined;

/**
 * Before all tests: builds the threads that tests start again and again, and tells where they are
 * (`journal-worker-from-source.mjs` and `door-thread-from-source.mjs` read that).
 */
export async function setup(): Promise<void> {
	built = await buildBesideStore();
	process.env.SIGNALBOX_BUILT_JOURNAL_WORKER = join(built.folder, 'journal-worker.js');
	process.env.SIGNALBOX_BUILT_DOOR_THREAD = join(built.folder, 'door-thread.js');
}

/** After the last test. */
export function teardown(): void {
	built?.remove();
}
