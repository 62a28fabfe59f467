import { hash } from 'node:crypto';
import { accessSync, closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve } from 'node:path';
import type { ProgramFile } from '#lib/gates/gate.ts';

/** The content of a larger file is not read while a hook waits; in bytes. */
const MAX_BYTES = 16 * 1024 * 1024;

/** The program that a word of a command line names; null if none can be read. */
export function programFile(word: string, cwd: string, path = process.env.PATH ?? ''): ProgramFile | null {
	const folders = path.split(delimiter).filter(isAbsolute);
	const places = word.includes('/') ? [resolve(cwd, word)] : folders.map((folder) => join(folder, word));
	for (const candidate of places) {
		const found = readProgram(candidate);
		if (found) return found;
	}
	return null;
}

/** Whether this user may run a file. Never throws. */
export function isExecutable(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

function readProgram(file: string): ProgramFile | null {
	let descriptor: number | undefined;
	try {
		const path = realpathSync.native(file);
		descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		const stat = fstatSync(descriptor);
		if (!stat.isFile() || (stat.mode & 0o111) === 0 || stat.size > MAX_BYTES) return null;
		return { path, digest: hash('sha256', readFileSync(descriptor), 'hex') };
	} catch {
		return null;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}
