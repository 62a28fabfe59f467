import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { readBounded } from '../../disk/bounded-read.ts';
import { realOf } from '../files/allowed-folders.ts';

/** What a commit in a git worktree writes to outside of it, and what of that is only read. */
export interface WorktreeFolders {
	writable: string[];
	kept: string[];
}

const NONE: WorktreeFolders = { writable: [], kept: [] };

/**
 * The folders of the repository to which a worktree belongs. Its `.git` is a file that an agent may have written, so it
 * opens nothing by itself: the folder that it names has to be one of a repository's `worktrees`, and to name this
 * worktree in turn. Settings, hooks and other worktrees of the repository stay as they are. Never throws.
 */
export function worktreeFolders(root: string): WorktreeFolders {
	const mark = join(root, '.git');
	const [, named] = /^gitdir: (.+?)\r?\n?$/.exec(textOf(mark)) ?? [];
	const own = named === undefined ? undefined : realOf(resolve(root, named));
	if (own === undefined || basename(dirname(own)) !== 'worktrees') return NONE;
	const back = textOf(join(own, 'gitdir')).trim();
	if (back === '' || realOf(resolve(own, back)) !== mark) return NONE;
	const common = dirname(dirname(own));
	const settings = join(own, 'config.worktree');
	// Git reads that file where the repository says so, and a file that is not there cannot be kept.
	if (!existsSync(settings) && /worktreeconfig/i.test(textOf(join(common, 'config')))) return NONE;
	const written = ['objects', 'refs', 'logs'].flatMap((name) => realWithin(common, name));
	return written.length < 2 ? NONE : { writable: [own, ...written], kept: existsSync(settings) ? [settings] : [] };
}

/** A folder of the repository that is really in it. */
function realWithin(common: string, name: string): string[] {
	const path = join(common, name);
	return realOf(path) === path ? [path] : [];
}

function textOf(path: string): string {
	const read = readBounded(path);
	return read.ok ? read.text : '';
}
