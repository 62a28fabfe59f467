import { existsSync, readFileSync, readlinkSync, renameSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { writeTogether } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { SERVER_PROGRAM } from '#hooks-bridge/ports/server-url.ts';
import { openDoorKey } from '../door/exchange.ts';
import { builtFile, HOOK_FILES, type HookFile } from './distribution.ts';
import { writeWhole } from './file-change.ts';

/** An installed hook file compared with the one of this version. */
export type HookFileState = 'same' | 'other-version' | 'not-executable' | 'missing';

/** The folder from which every project's entries start the hook. */
export function binFolder(home: string): string {
	return join(home, 'bin');
}

/** The link to the node that ran `init`. The hook starts this one, whatever node is first in an agent's PATH. */
export function nodeLink(home: string): string {
	return join(binFolder(home), 'node');
}

/** The target of a link; undefined if there is no link. */
export function targetOf(link: string): string | undefined {
	return tryTo(() => readlinkSync(link));
}

function linkNode(home: string): void {
	const link = nodeLink(home);
	if (targetOf(link) === process.execPath) return;
	const draft = `${link}.${process.pid}`;
	rmSync(draft, { force: true });
	symlinkSync(process.execPath, draft);
	renameSync(draft, link);
}

/** Compares the installed files with ours, by content. */
export function hookFileStates(home: string): Record<HookFile, HookFileState> {
	const stateOf = (name: HookFile): HookFileState => {
		const path = join(binFolder(home), name);
		const stat = statSync(path, { throwIfNoEntry: false });
		if (!stat?.isFile()) return 'missing';
		if (HOOK_FILES[name] === 0o755 && (stat.mode & 0o111) === 0) return 'not-executable';
		return readFileSync(path).equals(readFileSync(builtFile(name))) ? 'same' : 'other-version';
	};
	const names = Object.keys(HOOK_FILES) as HookFile[];
	return Object.fromEntries(names.map((name) => [name, stateOf(name)])) as Record<HookFile, HookFileState>;
}

/**
 * Copies the hook if needed, creates the home's key, and notes where the server's program is. Returns the files written. Throws
 * if one does not have its content then.
 */
export function installHook(home: string): string[] {
	makeFolder(binFolder(home));
	openDoorKey(home);
	const states = hookFileStates(home);
	const stale = (Object.keys(HOOK_FILES) as HookFile[]).filter((name) => states[name] !== 'same');
	// All or none: files of two versions do not work together, and the disk may be full.
	writeTogether(
		stale.map((name) => ({
			path: join(binFolder(home), name),
			content: readFileSync(builtFile(name)),
			mode: HOOK_FILES[name],
		})),
	);
	const damaged = Object.entries(hookFileStates(home)).filter(([, state]) => state !== 'same');
	if (damaged.length > 0) {
		const names = damaged.map(([name]) => name).join(', ');
		throw new Error(`${names} in ${binFolder(home)} is not what was written there: check that disk, then try again.`);
	}
	linkNode(home);
	const program = `${builtFile('signalbox.js')}\n`;
	const noted = join(home, SERVER_PROGRAM);
	if (!existsSync(noted) || readFileSync(noted, 'utf8') !== program) writeWhole(noted, Buffer.from(program), 0o644);
	return stale;
}
