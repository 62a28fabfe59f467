import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';

/** A system error of node, with its code and usually the path. */
interface SystemFailure extends Error {
	code: string;
	syscall: string;
	path?: string;
	/** Second path of a call with two, such as a rename. */
	dest?: string;
}

export function isSystemFailure(error: unknown): error is SystemFailure {
	return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Known by its code: loading the library costs every command more than most of them take. */
export function isDatabaseFailure(error: unknown): error is Error & { code: string } {
	return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_');
}

/** What is at a path where a folder is needed; null if nothing is found there. */
export function whyNoFolder(path: string): string | null {
	try {
		if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === false) return `${path} is a file, not a folder`;
		const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
		const isDead = link !== undefined && !statSync(path, { throwIfNoEntry: false });
		if (isDead) return `${path} is a link to ${link}, which does not exist`;
	} catch (error) {
		if (!isSystemFailure(error)) throw error;
		if (error.code === 'ELOOP') return `${path} is a link that leads back to itself`;
		if (error.code === 'ENAMETOOLONG') return `${path} is longer than a path may be`;
		if (error.code === 'EACCES') return whyNoFolder(dirname(path)) ?? `this user may not list ${dirname(path)}`;
		if (error.code !== 'ENOTDIR') return error.message;
	}
	return path === dirname(path) ? null : whyNoFolder(dirname(path));
}

const DOING: Readonly<Record<string, string>> = {
	mkdir: 'create',
	open: 'open',
	scandir: 'list',
	opendir: 'list',
	stat: 'read',
	lstat: 'read',
	access: 'write',
	unlink: 'remove',
	rmdir: 'remove',
	rm: 'remove',
	read: 'read',
};

/** What the system refused and what to do: two clauses. Null for a code without a helpful text. */
function systemWords({ code, syscall, path: named, dest }: SystemFailure): [string, string] | null {
	const path = named === undefined ? 'a file' : syscall === 'mkdtemp' ? dirname(named) : named;
	switch (code) {
		case 'EACCES':
		case 'EPERM':
			if (syscall === 'listen')
				return ['this user may not open that port', 'Choose one from 1024 to 65535 with --port'];
			return [`this user may not ${DOING[syscall] ?? 'write'} ${path}`, 'Grant that right, or use another folder'];
		case 'EROFS':
			return [`${path} is on a read-only disk`, 'Use another folder'];
		case 'ENOSPC':
		case 'EDQUOT':
			return [`the disk is full${named ? `: ${named} cannot be written` : ''}`, 'Free some space, then try again'];
		case 'EMFILE':
		case 'ENFILE':
			return ['too many files are open', 'End other programs, or raise `ulimit -n`, then try again'];
		case 'EIO':
			return [`the disk does not answer for ${path}`, 'Check the disk, then try again'];
		case 'EISDIR':
			return [
				named ? `${named} is a folder, not a file` : 'a folder is where a file belongs',
				'Move it away, then try again',
			];
		case 'ENOENT':
			if (syscall === 'mkdir') return [`the system does not allow creating ${path}`, 'Use another folder'];
			return [whyNoFolder(path) ?? `${path} does not exist`, 'Create it, or use another folder'];
		case 'ENOTEMPTY':
			return [`${dest ?? path} is not empty`, 'Move it away, or use another folder'];
		case 'EEXIST':
		case 'ENOTDIR':
		case 'ELOOP':
		case 'ENAMETOOLONG':
			return [whyNoFolder(dest ?? path) ?? `${dest ?? path} cannot be used`, 'Move it away, or use another folder'];
		default:
			return null;
	}
}

/** A SQLite error in words; the library's own text in brackets if it helps. */
function databaseWords({ code, message }: { code: string; message: string }): string {
	if (code.startsWith('SQLITE_NOTADB')) return 'it is not a database, or its beginning is damaged';
	if (code.startsWith('SQLITE_CORRUPT')) return `it is damaged (${message})`;
	if (code.startsWith('SQLITE_FULL')) return 'the disk is full';
	if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) return 'another program has locked it';
	if (code.startsWith('SQLITE_READONLY') || code.startsWith('SQLITE_PERM')) return 'this user may not write it';
	if (code.startsWith('SQLITE_CANTOPEN')) return 'this user may not open it, or one of the files beside it';
	if (code.startsWith('SQLITE_IOERR')) return `the disk refused (${message})`;
	// The driver tries to roll back what SQLite has already rolled back, and reports only that.
	if (message.startsWith('cannot rollback')) return 'the disk is full, or it refused to write';
	if (/no such (?:table|column)/.test(message)) return `it is another kind of database (${message})`;
	return message;
}

/** Libraries wrap what the system or SQLite threw. */
export function rootOf(error: unknown): unknown {
	return error instanceof Error && error.cause instanceof Error && !isSystemFailure(error)
		? rootOf(error.cause)
		: error;
}

/** Whether the disk was full. */
export function isDiskFull(error: unknown): boolean {
	return /^(ENOSPC|EDQUOT|SQLITE_FULL.*)$/.test(systemErrorCode(rootOf(error)) ?? '');
}

/** Why something failed, as a clause without a full stop, for a sentence that says what failed. */
export function reasonOf(error: unknown): string {
	const root = rootOf(error);
	if (isDatabaseFailure(root)) return databaseWords(root);
	if (isSystemFailure(root)) return systemWords(root)?.[0] ?? root.message;
	return root instanceof Error ? root.message.replace(/\.$/, '') : String(root);
}

/** Whether the SQLite driver has no binary for this system, or the system cannot load it. */
function isUnknownSystem(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	return (
		error.message.startsWith('No native build was found') || ('code' in error && error.code === 'ERR_DLOPEN_FAILED')
	);
}

/** The name of this system, as far as it decides which binary fits. */
function systemName(): string {
	const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
	const libc = header?.glibcVersionRuntime === undefined ? 'musl' : `glibc ${header.glibcVersionRuntime}`;
	return [process.platform, process.arch, ...(process.platform === 'linux' ? [libc] : [])].join(' ');
}

/** Drizzle's own errors only contain a query. */
const isOfDriver = (error: unknown) => error instanceof Error && error.name.startsWith('Drizzle');

/** A failure as one or two sentences for a person: what is wrong, and what to do if that is known. Our own errors contain both. */
export function failureWords(thrown: unknown): string {
	const error = isDatabaseFailure(rootOf(thrown)) && isOfDriver(thrown) ? rootOf(thrown) : thrown;
	if (isUnknownSystem(error)) {
		return `Signalbox has no SQLite for this system (${systemName()}). It runs on Linux and macOS, x64 or arm64; on Linux with glibc 2.28 or newer, or musl.`;
	}
	if (isDatabaseFailure(error)) return `A database cannot be used: ${databaseWords(error)}.`;
	if (!isSystemFailure(error)) return error instanceof Error ? error.message : String(error);
	const words = systemWords(error);
	if (words === null) return error.message;
	const [what, todo] = words;
	return `${what[0]?.toUpperCase()}${what.slice(1)}. ${todo}.`;
}
