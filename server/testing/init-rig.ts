import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { dispatch } from '../cli/dispatch.ts';

const files = vi.hoisted(() => ({ built: '' }));
vi.mock('../setup/distribution.ts', async (original) => ({
	...(await original<typeof import('../setup/distribution.ts')>()),
	builtFile: (name: string) => `${files.built}/${name}`,
}));

export type InitRig = ReturnType<typeof createInitRig>;

/** A person's folder with a project in it, and a build whose files are stand-ins; gone after the test. For tests. */
export function createInitRig() {
	const root = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-init-')));
	onTestFinished(() => rmSync(root, { recursive: true }));
	const project = join(root, 'shop');
	files.built = join(root, 'dist');
	mkdirSync(project);
	putFile(join(files.built, 'hook.sh'), '#!/bin/sh\nexit 0\n');
	putFile(join(files.built, 'enter-sandbox.sh'), '#!/bin/sh\nexit 126\n');
	putFile(join(files.built, 'enter-sandbox.cjs'), '// how a shell is run in the sandbox\n');
	putFile(join(files.built, 'hook.cjs'), '// the node half\n');
	putFile(join(files.built, 'hook-commands.cjs'), '// what it needs for command lines\n');
	putFile(join(files.built, 'hook-engine.cjs'), '// what it seldom needs\n');
	const out: string[] = [];
	const err: string[] = [];
	const print = (line: string) => void out.push(line);
	const printError = (line: string) => void err.push(line);
	return {
		root,
		project,
		/** What commands printed, and what they said beside it. */
		out,
		err,
		/** Runs a command of the program in the project. */
		run: (args: readonly string[], env: Record<string, string> = {}) =>
			dispatch(args, { env: { HOME: root, ...env }, cwd: project, print, say: printError }),
	};
}

/** Writes a file with the folders above it. */
export function putFile(path: string, text: string, mode = 0o644): void {
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(path, text);
	chmodSync(path, mode);
}
