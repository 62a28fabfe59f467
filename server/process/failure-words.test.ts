import { expect, test } from 'vitest';
import { failureWords, isDiskFull, reasonOf } from './failure-words.ts';

const failure = (code: string, syscall: string, path?: string) =>
	Object.assign(new Error(`${code}: library words`), { code, syscall, ...(path && { path }) });
const sqlite = (code: string, message = 'library words') => Object.assign(new Error(message), { code });

test.each([
	[failure('EACCES', 'open', '/a/b'), 'This user may not open /a/b. Grant that right, or use another folder.'],
	[failure('EPERM', 'chmod', '/a/b'), 'This user may not write /a/b. Grant that right, or use another folder.'],
	[failure('EACCES', 'listen'), 'This user may not open that port. Choose one from 1024 to 65535 with --port.'],
	[failure('ENOSPC', 'write'), 'The disk is full. Free some space, then try again.'],
	[failure('ENOSPC', 'mkdir', '/a'), 'The disk is full: /a cannot be written. Free some space, then try again.'],
	[failure('EROFS', 'open', '/a'), '/a is on a read-only disk. Use another folder.'],
	[
		failure('EMFILE', 'open', '/a'),
		'Too many files are open. End other programs, or raise `ulimit -n`, then try again.',
	],
	[failure('EISDIR', 'read'), 'A folder is where a file belongs. Move it away, then try again.'],
	[failure('ENOENT', 'mkdir', '/proc/x'), 'The system does not allow creating /proc/x. Use another folder.'],
	[failure('ENOENT', 'mkdtemp', '/proc/x/sbx-XX'), '/proc/x does not exist. Create it, or use another folder.'],
	[failure('ENOENT', 'open', '/proc/x'), '/proc/x does not exist. Create it, or use another folder.'],
	[
		failure('ENOTDIR', 'stat', '/dev/null/x/y'),
		'/dev/null is a file, not a folder. Move it away, or use another folder.',
	],
	[sqlite('SQLITE_FULL'), 'A database cannot be used: the disk is full.'],
	[
		Object.assign(new Error("Failed to run the query 'ROLLBACK'", { cause: sqlite('SQLITE_FULL') }), {
			name: 'DrizzleError',
		}),
		'A database cannot be used: the disk is full.',
	],
	[new Error('What is wrong. What to do.'), 'What is wrong. What to do.'],
])('%s is described in words', (error, words) => {
	expect(failureWords(error)).toBe(words);
});

test.each([
	[
		Object.assign(failure('EEXIST', 'link', '/a/x.draft-1'), { dest: '/a/x' }),
		'/a/x cannot be used. Move it away, or use another folder.',
	],
	[
		Object.assign(failure('ENOTEMPTY', 'rename', '/a/x.restore-1'), { dest: '/a/x' }),
		'/a/x is not empty. Move it away, or use another folder.',
	],
	[failure('ENOTEMPTY', 'rmdir', '/a/x'), '/a/x is not empty. Move it away, or use another folder.'],
])('%s is about the name that is taken, not about what was to take it', (error, words) => {
	expect(failureWords(error)).toBe(words);
});

test.each([
	[sqlite('SQLITE_NOTADB'), 'it is not a database, or its beginning is damaged'],
	[sqlite('SQLITE_CORRUPT_INDEX', 'malformed'), 'it is damaged (malformed)'],
	[sqlite('SQLITE_IOERR_READ', 'disk I/O error'), 'the disk refused (disk I/O error)'],
	[sqlite('SQLITE_ERROR', 'cannot rollback - no transaction is active'), 'the disk is full, or it refused to write'],
	[new Error('wrapped', { cause: sqlite('SQLITE_BUSY') }), 'another program has locked it'],
	[failure('EACCES', 'scandir', '/a'), 'this user may not list /a'],
	['thrown', 'thrown'],
])('the reason of %s is a clause', (error, clause) => {
	expect(reasonOf(error)).toBe(clause);
});

test.each([
	new Error('No native build was found for platform=linux arch=riscv64 runtime=node'),
	Object.assign(new Error('libc.musl-x86_64.so.1: cannot open shared object file'), { code: 'ERR_DLOPEN_FAILED' }),
])('a system without a binary of SQLite is named, with those that have one (%s)', (error) => {
	const words = failureWords(error);
	expect(words).toContain(`(${process.platform} ${process.arch}`);
	expect(words).toContain('It runs on Linux and macOS');
	expect(words).not.toContain('No native build');
});

test.each([
	[failure('ENOSPC', 'write'), true],
	[new Error('The lock cannot be taken.', { cause: sqlite('SQLITE_FULL') }), true],
	[sqlite('SQLITE_BUSY'), false],
	[failure('EACCES', 'open', '/a'), false],
	['ENOSPC', false],
])('%s is a full disk: %s', (error, isFull) => {
	expect(isDiskFull(error)).toBe(isFull);
});
