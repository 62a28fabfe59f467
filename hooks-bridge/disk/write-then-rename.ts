import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Puts a whole file in place of `path`: readers see the old or the new one, and a link there is replaced, not followed.
 * It is written first as `draft`, a name in the same folder that nobody else uses, with `mode` less the umask. Throws
 * where the disk refuses; the draft is then gone.
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
