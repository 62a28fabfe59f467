import { lstatSync, statSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { FileChange } from './file-change.ts';
import { readIfThere } from './read-text.ts';

/** Where a file's original content is stored until `--remove`. */
export function backupOf(path: string): string {
	return `${path}.signalbox-backup`;
}

/** Backs up a file once, if it existed before our first entry. The backup is readable only by those who could read the file. */
export function backupChange(path: string, text: string | undefined, isFirst: boolean): FileChange {
	const before = readIfThere(backupOf(path));
	const change = { path: backupOf(path), before, after: before ?? (isFirst ? text : undefined) };
	const original = statSync(path, { throwIfNoEntry: false });
	return original ? { ...change, mode: original.mode & 0o777 } : change;
}

function isNothing(text: string): boolean {
	return isDeepStrictEqual(JSON.parse(text.trim() === '' ? '{}' : text), {});
}

/** Removes our entries from a file with `unmerge`, and deletes its backup. Deletes a file that we created. */
export function restore(path: string, unmerge: (text: string, before: string | undefined) => string): FileChange[] {
	const text = readIfThere(path);
	const backup = readIfThere(backupOf(path));
	const rest = text === undefined ? undefined : unmerge(text, backup);
	// Without a backup we created the file, so it is deleted if nothing else is in it. A link is never deleted.
	const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
	const isOurs = !isLink && rest !== undefined && backup === undefined && rest !== text && isNothing(rest);
	return [
		{ path, before: text, after: isOurs ? undefined : rest },
		{ path: backupOf(path), before: backup, after: undefined },
	];
}
