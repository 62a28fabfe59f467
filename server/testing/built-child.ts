import net from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';

let folder: Promise<string> | undefined;

/** The program of a `*-child.ts`, by the name of that file. It is built once for all tests; outside of tests, until this process ends. */
export async function builtChild(name: string): Promise<string> {
	const path = process.env.SIGNALBOX_TEST_CHILDREN;
	folder ??= path === undefined ? buildForProcess() : askFor(path);
	return join(await folder, `${name}.js`);
}

async function askFor(path: string): Promise<string> {
	const { folder, failure } = (await json(net.connect(path))) as { folder?: string; failure?: string };
	if (folder === undefined) throw new Error(`The programs for tests could not be built: ${failure}`);
	return folder;
}

async function buildForProcess(): Promise<string> {
	const { buildChildren, makeProgramFolder } = await import('./build-programs.ts');
	const { folder, remove } = makeProgramFolder();
	process.once('exit', remove);
	await buildChildren(folder);
	return folder;
}
