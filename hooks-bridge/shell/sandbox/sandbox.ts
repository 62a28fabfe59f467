import { chmodSync, existsSync, lstatSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isWithin } from '#lib/commands/closed-paths.ts';
import { sandboxArguments } from '#lib/commands/sandbox-arguments.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { readBounded } from '../../disk/bounded-read.ts';
import { tryTo } from '../../disk/try-to.ts';
import { makeFolder } from '../../disk/write-files.ts';
import { type AllowedFolders, realOf } from '../files/allowed-folders.ts';
import { runChild } from '../run-child.ts';
import { type ClosedFile, closedFiles, excludedPrograms } from './closed-files.ts';

const PROBE_MS = 10_000;
/** Sockets in it lead to services outside (system bus, container engines). */
const EMPTIED = ['/run'];
/** The command's errors have a port of their own, so that bubblewrap's messages cannot be taken for them. */
const COMMAND_ERRORS = 'exec 2>&4 4>&-; exec "$@"';

/** Folders for temporary files in which terminals, key agents and editors have sockets, by their usual names. */
const SOCKET_FOLDERS =
	/^(?:tmux-|screens?$|uscreens?$|ssh-|emacs|zellij-|dbus-|gpg-|kitty|wezterm|\.X11-unix$|\.ICE-unix$)/;
const TEMPORARY = ['/tmp', '/var/tmp', '/dev/shm'];

/** How a program is started inside. */
export interface Wrapped {
	program: string;
	args: string[];
	closed: readonly ClosedFile[];
}

export interface Sandbox {
	/** Whether it can really be started here; tried once. */
	isAvailable(): Promise<boolean>;
	/** How to start `argv` in `cwd` inside; `line` is searched for files to close. Port 3 reports the status. */
	wrap(argv: readonly string[], cwd: string, line: string): Wrapped;
}

/** What a command can reach on this machine: it may write below the roots of `folders`, and cannot open what is `excluded`. */
export function sandboxView(folders: AllowedFolders, cwd: string, line: string, excluded: readonly ClosedFile[]) {
	const worktree = worktreeFolders(folders.roots[0] ?? cwd);
	const writable = [...new Set([...folders.roots, ...worktree.writable])];
	const kept = [...folders.kept, ...worktree.kept].flatMap((path) => realOf(path) ?? []);
	const emptied = EMPTIED.filter((path) => existsSync(path));
	const closed = [...closedFiles(folders, cwd, line), ...excluded, ...socketFolders()];
	return {
		cwd,
		writable,
		kept: kept.filter((path) => writable.some((root) => isWithin(path, root))),
		closed,
		blank: blankPaths(folders.state),
		emptied,
	};
}

/** `program` is bubblewrap's name or path; `excluded` names the programs that must not run inside, read for each start. */
export function createSandbox(options: {
	place: AllowedFolders;
	env: ShellEnv;
	program?: string;
	excluded?: () => readonly string[];
}): Sandbox {
	const { place: folders, env, program = 'bwrap', excluded = () => [] } = options;
	let tried: Promise<boolean> | undefined;
	const wrap: Sandbox['wrap'] = (argv, folder, line) => {
		const cwd = realOf(folder) ?? folder;
		const view = sandboxView(
			{ ...folders, roots: [...folders.roots, cwd] },
			cwd,
			line,
			excludedPrograms(excluded(), env),
		);
		const args = sandboxArguments(view, ['--die-with-parent', '--new-session', '--json-status-fd', '3']);
		return { program, args: [...args, '/bin/sh', '-c', COMMAND_ERRORS, 'sh', ...argv], closed: view.closed };
	};
	const probe = async (): Promise<boolean> => {
		try {
			const { args } = wrap(['true'], folders.cwd, '');
			const end = await runChild({ program, args, cwd: '/', env, wrapped: true, timeoutMs: PROBE_MS });
			return end.why === 'ended' && end.exitCode === 0 && hasBegun(end.status);
		} catch {
			return false;
		}
	};
	return {
		wrap,
		isAvailable: () => {
			tried ??= probe();
			return tried;
		},
	};
}

/** bubblewrap reports an exit code only for a command that it really started. */
export function hasBegun(status: string): boolean {
	return status.includes('"exit-code"');
}

/** An empty file and an empty folder that cannot be read: they cover closed paths in the sandbox. */
function blankPaths(state: string): { file: string; folder: string } {
	const parent = join(state, 'sandbox');
	const blank = { file: join(parent, 'closed-file'), folder: join(parent, 'closed-folder') };
	makeFolder(blank.folder);
	if (!lstatSync(blank.file, { throwIfNoEntry: false })) writeFileSync(blank.file, '', { mode: 0 });
	chmodSync(blank.file, 0);
	chmodSync(blank.folder, 0);
	return blank;
}

/**
 * Folders with sockets of other programs: a read-only mount does not prevent connections, and a terminal server would run
 * commands outside. Never throws.
 */
function socketFolders(): ClosedFile[] {
	const found = TEMPORARY.flatMap((parent) => namesIn(parent).map((name) => realOf(join(parent, name))));
	const folders = new Set(found.filter((path) => path !== undefined && lstatSync(path).isDirectory()));
	return [...folders].map((path) => ({ path: path ?? '', folder: true, pattern: 'sockets of other programs' }));
}

function namesIn(folder: string): string[] {
	return tryTo(() => readdirSync(folder).filter((name) => SOCKET_FOLDERS.test(name))) ?? [];
}

/** What a commit in a git worktree writes outside the worktree, and what it only reads. */
interface WorktreeFolders {
	writable: string[];
	kept: string[];
}

const NONE: WorktreeFolders = { writable: [], kept: [] };

/**
 * The folders of the repository behind a worktree. An agent may have written the worktree's `.git`, so the folder that it names
 * must be among a repository's `worktrees` and name this worktree in turn. Never throws.
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
	// Git reads that file if the repository enables it, and a missing file cannot be made read-only.
	if (!existsSync(settings) && /worktreeconfig/i.test(textOf(join(common, 'config')))) return NONE;
	const written = ['objects', 'refs', 'logs'].flatMap((name) => realWithin(common, name));
	return written.length < 2 ? NONE : { writable: [own, ...written], kept: existsSync(settings) ? [settings] : [] };
}

/** A folder of the repository that is really inside it. */
function realWithin(common: string, name: string): string[] {
	const path = join(common, name);
	return realOf(path) === path ? [path] : [];
}

function textOf(path: string): string {
	const read = readBounded(path);
	return read.ok ? read.text : '';
}
