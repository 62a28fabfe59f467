import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildChildren, buildThreads, makeProgramFolder } from './build-programs.ts';

let remove: (() => void) | undefined;
let server: net.Server | undefined;

/**
 * Before all tests: builds the threads that tests start again and again, and tells where they are
 * (`journal-worker-from-source.mjs` and `door-thread-from-source.mjs` read that). Sets the socket that `builtChild` connects to;
 * the first connection has the children built.
 */
export async function setup(): Promise<void> {
	const { folder, remove: removeFolder } = makeProgramFolder();
	const sockets = mkdtempSync(join(tmpdir(), 'signalbox-programs-'));
	remove = () => {
		removeFolder();
		rmSync(sockets, { recursive: true });
	};
	await buildThreads(folder);
	let built: Promise<void> | undefined;
	const made = net.createServer((asking) => {
		built ??= buildChildren(folder);
		asking.on('error', () => undefined);
		built.then(
			() => asking.end(JSON.stringify({ folder })),
			(error: Error) => asking.end(JSON.stringify({ failure: error.message })),
		);
	});
	server = made;
	const path = join(sockets, 'ask');
	await new Promise<void>((resolve) => made.listen(path, resolve));
	process.env.SIGNALBOX_BUILT_JOURNAL_WORKER = join(folder, 'journal-worker.js');
	process.env.SIGNALBOX_BUILT_DOOR_THREAD = join(folder, 'door-thread.js');
	process.env.SIGNALBOX_TEST_CHILDREN = path;
}

/** After the last test. */
export function teardown(): void {
	server?.close();
	remove?.();
}
