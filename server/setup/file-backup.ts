import { lstatSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { FileChange } from './file-change.ts';
import { readIfThere } from './read-text.ts';

/** Where a file's first state is kept until `--remove`. */
export function backupOf(path: string): string {
	return `${path}.signalbox-backup`;
}

/** The backup is taken once, of a file that was there before the first entry of ours. Nobody reads it who could not read that. */
export function backupChange(path: string, text: string | undefined, isFirst: boolean): FileChange {
	const before = readIfThere(backupOf(path));
	const change = { path: backupOf(path), before, after: before ?? (isFirst ? text : undefined) };
	const original = statSync(path, { throwIfNoEntry: false });
	return original ? { ...change, mode: original.mode & 0o777 } : change;
}

function isNothing(text: string): boolean {
	return isDeepStrictEqual(JSON.parse(text.trim() === '' ? '{}' : text), {});
}

/** Takes out of a file what came from us, by `unmerge`, and its backup. A file that was of our making goes. */
export function restore(path: string, unmerge: (text: string, before: string | undefined) => string): FileChange[] {
	const text = readIfThere(path);
	const backup = readIfThere(backupOf(path));
	const rest = text === undefined ? undefined : unmerge(text, backup);
	// Without a backup we created the file, so it is deleted if nothing else is in it. A link never is.
	const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	const isOurs = !isLink && rest !== undefined && backup === undefined && rest !== text && isNothing(rest);
	return [
		{ path, before: text, after: isOurs ? undefined : rest },
		{ path: backupOf(path), before: backup, after: undefined },
	];
}
