import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { realOf } from '../files/allowed-folders.ts';
import type { ClosedFile } from './closed-files.ts';

/** Where systems keep programs, whatever the PATH says. */
const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/sbin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'];
const MAX_FOLDERS = 100;
/** One file that is many programs: covering it would take all of them away. */
const MANY_IN_ONE = /^(?:busybox|toybox|coreutils|uutils)/;

/**
 * The files of excluded programs on this machine, which the sandbox covers: nothing inside can open them, whatever
 * language or path it takes. Never throws.
 */
export function excludedPrograms(exclude: readonly string[], { PATH = '' }: ShellEnv): ClosedFile[] {
	const given = PATH.split(':').filter((folder) => folder.startsWith('/'));
	const folders = [...new Set([...given.slice(0, MAX_FOLDERS), ...FOLDERS])];
	const found = new Map<string, ClosedFile>();
	for (const pattern of exclude) {
		const name = basename(pattern);
		if (name === '' || name.endsWith(':')) continue;
		for (const folder of folders) {
			const path = realOf(join(folder, name));
			if (path === undefined || MANY_IN_ONE.test(basename(path)) || !isProgram(path)) continue;
			found.set(path, { path, folder: false, pattern });
		}
	}
	return [...found.values()];
}

function isProgram(path: string): boolean {
	try {
		return statSync(path).isFile();
	} catch {
		return false;
	}
}
