import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Replaces `path` by a whole file: readers see the old or the new one, and a link is replaced, not followed. The file is first
 * written as `draft`, a unique name in the same folder, with `mode` less the umask. Throws if the disk refuses; then the draft is
 * removed.
 */
export function writeThenRename(draft: string, path: string, content: string | Buffer, mode: number): void {
	try {
		writeFileSync(draft, content, { flag: 'wx', mode });
		renameSync(draft, path);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error;
	}
}
