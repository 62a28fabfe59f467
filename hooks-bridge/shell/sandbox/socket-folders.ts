import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { realOf } from '../files/allowed-folders.ts';
import type { ClosedFile } from './closed-files.ts';

/** Folders for temporary files in which terminals, key agents and editors keep sockets, by the names that they give theirs. */
const NAMES = /^(?:tmux-|screens?$|uscreens?$|ssh-|emacs|zellij-|dbus-|gpg-|kitty|wezterm|\.X11-unix$|\.ICE-unix$)/;
const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'];

/**
 * The folders with sockets of other programs in them. A read-only mount does not keep anybody from talking to these, and
 * a terminal server would run outside what it is told. Never throws.
 */
export function socketFolders(): ClosedFile[] {
	const found = TEMPORARY.flatMap((parent) => namesIn(parent).map((name) => realOf(join(parent, name))));
	const folders = new Set(found.filter((path) => path !== undefined && lstatSync(path).isDirectory()));
	return [...folders].map((path) => ({ path: path ?? '', folder: true, pattern: 'sockets of other programs' }));
}

function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => NAMES.test(name));
	} catch {
		return [];
	}
}
