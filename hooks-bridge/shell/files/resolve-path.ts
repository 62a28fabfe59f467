import { lstatSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { closedName, isWithin } from '#lib/commands/closed-paths.ts';
import { printable } from '#lib/text/printable.ts';
import { tryTo } from '../../disk/try-to.ts';
import { type AllowedFolders, realOf } from './allowed-folders.ts';

/** A file command cannot do what is requested; the message is for the agent. */
export class FileRefusal extends Error {}

/** A path that may be used: its root, and the path from there without a link. */
export interface ConfinedPath {
	/** Absolute. */
	path: string;
	root: string;
	/** Path parts below the root, at least one. */
	parts: readonly string[];
}

/**
 * Finds out where a path given by an agent really leads. Throws FileRefusal if that is outside the allowed folders, is closed,
 * or, for `change`, must not be changed.
 */
export function resolvePath(given: string, folders: AllowedFolders, aim: 'read' | 'change'): ConfinedPath {
	if (given.includes('\0')) throw new FileRefusal('A path holds no NUL character.');
	const name = printable(given, 300);
	const tilde = given === '~' || given.startsWith('~/');
	const path = behindLinks(resolve(folders.cwd, tilde ? join(folders.home, given.slice(1)) : given), name);
	const pattern = closedBy(path, folders);
	if (pattern) throw new FileRefusal(`The shell keeps ${name} closed (${pattern}).`);
	const root = folders.roots.find((folder) => isWithin(path, folder));
	if (root === undefined) {
		throw new FileRefusal(`${name} is outside of the project and of the folder for temporary files.`);
	}
	if (path === root)
		throw new FileRefusal(`Cannot ${aim === 'read' ? 'read directory' : 'write to directory'}: ${name}`);
	if (aim === 'change' && folders.kept.some((kept) => isWithin(path, kept))) {
		throw new FileRefusal(`The shell leaves ${name} as it is: it decides what runs in this project. Ask a person.`);
	}
	return { path, root, parts: path.slice(root.length).split('/').filter(Boolean) };
}

/** The real path of a file that exists or would be created; a link to nothing may not be written through. */
function behindLinks(path: string, name: string): string {
	const real = realOf(path);
	if (real !== undefined) return real;
	if (isLink(path)) throw new FileRefusal(`${name} leads through a link to nowhere.`);
	const parent = dirname(path);
	return parent === path ? path : join(behindLinks(parent, name), basename(path));
}

/** Whether it is a link; false if nothing is there. */
export function isLink(path: string): boolean {
	return tryTo(() => lstatSync(path).isSymbolicLink()) ?? false;
}

function closedBy(path: string, { closed }: AllowedFolders): string | undefined {
	const found = closed.find((closedPath) => isWithin(path, realOf(closedPath.path) ?? closedPath.path));
	return found?.pattern ?? closedName(basename(path));
}
