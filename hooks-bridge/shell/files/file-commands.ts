import { randomUUID } from 'node:crypto';
import { closeSync, constants, existsSync, fstatSync, lstatSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { closedName, isWithin } from '#lib/commands/closed-paths.ts';
import { readEditArguments, replaceLiterally } from '#lib/commands/edit-command.ts';
import { numberedLines, readReadArguments } from '#lib/commands/read-command.ts';
import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, wantsHelp } from '#lib/commands/shell-help.ts';
import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { readWriteArguments } from '#lib/commands/write-command.ts';
import { clip, printable } from '#lib/text/printable.ts';
import { systemErrorCode } from '../../disk/system-error-code.ts';
import { tryTo } from '../../disk/try-to.ts';
import { writeThenRename } from '../../disk/write-files.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
} from '../command-result.ts';
import { type AllowedFolders, realOf } from './allowed-folders.ts';

/** A command that is done synchronously; a refusal becomes its error. */
abstract class FileHandler implements CommandHandler {
	protected readonly place: AllowedFolders;

	constructor(folders: AllowedFolders) {
		this.place = folders;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable(async () => {
			const help = wantsHelp(line);
			if (help) return done(helpOf(line, help));
			try {
				return this.act(afterFirstWord(line));
			} catch (error) {
				if (error instanceof FileRefusal) return failed(error.message);
				return failed(`The file cannot be used (${systemErrorCode(error) ?? String(error)}).`);
			}
		});
	}

	protected abstract act(text: string): CommandResult;
}

/** `read`: a file with line numbers. */
export class ReadHandler extends FileHandler {
	readonly #env: ShellEnv;

	constructor(folders: AllowedFolders, env: ShellEnv) {
		super(folders);
		this.#env = env;
	}

	protected act(text: string): CommandResult {
		const read = readReadArguments(text, limitOf(this.#env, 'SYNAPSE_READ_DEFAULT_LIMIT', 2000));
		if (!read.ok) return failed(read.message);
		const bytes = readConfined(resolvePath(read.request.path, this.place, 'read'));
		return done(numberedLines(bytes.toString('utf8'), read.request));
	}
}

export class WriteHandler extends FileHandler {
	protected act(text: string): CommandResult {
		const read = readWriteArguments(text);
		if (!read.ok) return failed(read.message);
		const at = resolvePath(read.path, this.place, 'change');
		const bytes = Buffer.from(read.content);
		writeConfined(at, bytes);
		const lines = read.content === '' ? 0 : read.content.replace(/\n$/, '').split('\n').length;
		return done(`Wrote ${bytes.length} bytes, ${lines} lines: ${at.path}\n`);
	}
}

/** `edit`: replaces exact text. */
export class EditHandler extends FileHandler {
	protected act(text: string): CommandResult {
		const read = readEditArguments(text);
		if (!read.ok) return failed(read.message);
		const { request } = read;
		const at = resolvePath(request.path, this.place, 'change');
		const before = asText(readConfined(at), at.path);
		const { text: after, count } = replaceLiterally(before, request);
		if (count === 0) return failed(`String not found in file: ${clip(request.old, 50)}`);
		writeConfined(at, Buffer.from(after));
		return done(`Replaced ${count} ${count === 1 ? 'place' : 'places'}: ${at.path}\n`);
	}
}

function asText(bytes: Buffer, path: string): string {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw new FileRefusal(`${path} is not UTF-8 text: an edit would damage it.`);
	}
}

const MAX_BYTES = 32 * 1024 * 1024;
const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW | constants.O_NOCTTY;
const OWN_FILES = '/proc/self/fd';

/** The bytes of a regular file of at most 32 MiB. Throws FileRefusal. */
export function readConfined(at: ConfinedPath): Buffer {
	return inFolder(at, false, (folder, name) => {
		const fd = openOrRefuse(`${folder}/${name}`, FILE, at.path);
		try {
			const stat = fstatSync(fd);
			if (stat.isDirectory()) throw new FileRefusal(`Cannot read directory: ${at.path}`);
			if (!stat.isFile()) throw new FileRefusal(`${at.path} is not a regular file.`);
			if (stat.size > MAX_BYTES) throw new FileRefusal(`${at.path} is larger than 32 MiB.`);
			return readFileSync(fd);
		} finally {
			closeSync(fd);
		}
	});
}

/**
 * Writes a whole file and its folders. Readers see the old or the new one, and a link put there meanwhile is replaced, not
 * followed. Throws FileRefusal.
 */
export function writeConfined(at: ConfinedPath, bytes: Buffer): void {
	inFolder(at, true, (folder, name) => {
		const target = `${folder}/${name}`;
		const before = lstatSync(target, { throwIfNoEntry: false });
		if (before?.isDirectory()) throw new FileRefusal(`Cannot write to directory: ${at.path}`);
		if (before && !before.isFile()) throw new FileRefusal(`${at.path} is not a regular file.`);
		const half = `${folder}/.${name.slice(0, 100)}.${randomUUID()}`;
		try {
			writeThenRename(half, target, bytes, before ? before.mode & 0o777 : 0o666);
		} catch (error) {
			throw new FileRefusal(`${at.path} cannot be written (${systemErrorCode(error)}).`);
		}
	});
}

/**
 * Walks down from the root, one folder at a time and through no link, and runs `act` in the last. Where the system can, each step
 * starts from the open folder, so that a link made meanwhile has no effect.
 */
function inFolder<T>(at: ConfinedPath, createsFolders: boolean, act: (folder: string, name: string) => T): T {
	const steps = at.parts.slice(0, -1);
	let fd = openOrRefuse(at.root, FOLDER, at.path);
	let folder = existsSync(OWN_FILES) ? `${OWN_FILES}/${fd}` : at.root;
	try {
		for (const step of steps) {
			const path = `${folder}/${step}`;
			if (createsFolders) makeFolder(path, at.path);
			const next = openOrRefuse(path, FOLDER, at.path);
			closeSync(fd);
			fd = next;
			folder = folder.startsWith(OWN_FILES) ? `${OWN_FILES}/${fd}` : path;
		}
		return act(folder, at.parts.at(-1) ?? '');
	} finally {
		closeSync(fd);
	}
}

function makeFolder(path: string, shownPath: string): void {
	try {
		mkdirSync(path);
	} catch (error) {
		if (systemErrorCode(error) !== 'EEXIST')
			throw new FileRefusal(`${shownPath} cannot be written (${systemErrorCode(error) ?? 'failed'}).`);
	}
}

function openOrRefuse(path: string, flags: number, shownPath: string): number {
	try {
		return openSync(path, flags);
	} catch (error) {
		const code = systemErrorCode(error);
		if (code === 'ELOOP' || isLink(path)) throw new FileRefusal(`${shownPath} was changed while it was opened.`);
		if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileRefusal(`File not found: ${shownPath}`);
		throw new FileRefusal(`${shownPath} cannot be opened (${code ?? 'failed'}).`);
	}
}

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
 * Where a path given by an agent really leads. Throws FileRefusal if that is outside the allowed folders, closed, or (for
 * `change`) read-only.
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
