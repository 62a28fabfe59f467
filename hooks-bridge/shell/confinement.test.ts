import { execFileSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AllowedFolders, allowedFolders } from './files/allowed-folders.ts';
import {
	EditHandler,
	ReadHandler,
	readConfined,
	resolvePath,
	WriteHandler,
	writeConfined,
} from './files/file-commands.ts';
import { closedFiles } from './sandbox/closed-files.ts';

let folder: string;
let project: string;
let folders: AllowedFolders;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'confine-')));
	for (const name of ['project/sub', 'outside', 'temporary', 'home/.ssh', 'state']) {
		mkdirSync(join(folder, name), { recursive: true });
	}
	project = join(folder, 'project');
	writeFileSync(join(folder, 'outside/secret.txt'), 'secret');
	writeFileSync(join(project, 'own.txt'), 'own');
	folders = allowedFolders({
		project,
		cwd: project,
		state: join(folder, 'state'),
		env: { HOME: join(folder, 'home'), TMPDIR: join(folder, 'temporary') },
	});
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = (path: string) => new ReadHandler(folders, {}).execute(`read "${path}"`);
const write = (path: string, content = 'new') => new WriteHandler(folders).execute(`write "${path}" ${content}`);
const edit = (path: string) => new EditHandler(folders).execute(`edit "${path}" secret public`);

test('R520 what is inside is read and written: relative, absolute, in folders to be made, in the temporary folder', async () => {
	expect((await read('sub/../own.txt')).stdout).toContain('own');
	expect((await write('new/deep/file.txt')).exitCode).toBe(0);
	expect(readFileSync(join(project, 'new/deep/file.txt'), 'utf8')).toBe('new');
	expect((await write(join(folder, 'temporary/t.txt'))).exitCode).toBe(0);
	chmodSync(join(project, 'own.txt'), 0o755);
	expect((await write('own.txt', '<<END\n"quoted"\nEND')).stdout).toContain('Wrote 8 bytes, 1 lines');
	expect(statSync(join(project, 'own.txt')).mode & 0o777).toBe(0o755);
});

test.each([
	['..', '../outside/secret.txt'],
	['an absolute path', 'OUTSIDE/secret.txt'],
	['a link to a file', 'link.txt'],
	['a link to a folder', 'linked/secret.txt'],
	['a link in a chain', 'chain/secret.txt'],
	['~', '~/notes.txt'],
	['a folder that starts with the same letters', 'PROJECT-2/x.txt'],
])('R520 nothing outside is reached by %s', async (_how, given) => {
	symlinkSync(join(folder, 'outside/secret.txt'), join(project, 'link.txt'));
	symlinkSync(join(folder, 'outside'), join(project, 'linked'));
	symlinkSync(join(project, 'linked'), join(project, 'chain'));
	mkdirSync(join(folder, 'project-2'));
	writeFileSync(join(folder, 'project-2/x.txt'), 'secret');
	writeFileSync(join(folder, 'home/notes.txt'), 'secret');
	const path = given.replace('OUTSIDE', join(folder, 'outside')).replace('PROJECT', project);
	for (const result of [await read(path), await write(path), await edit(path)]) {
		expect(result).toMatchObject({
			exitCode: 1,
			stdout: '',
			stderr: expect.stringContaining('outside of the project'),
		});
	}
	expect(readFileSync(join(folder, 'outside/secret.txt'), 'utf8')).toBe('secret');
});

test('R520 a link into nothing is not written through, a link inside is followed, a link in the way is replaced', async () => {
	symlinkSync(join(folder, 'outside/new.txt'), join(project, 'dangling.txt'));
	expect((await write('dangling.txt')).stderr).toContain('leads through a link to nowhere');
	expect(existsSync(join(folder, 'outside/new.txt'))).toBe(false);
	symlinkSync(join(project, 'own.txt'), join(project, 'alias.txt'));
	expect((await write('alias.txt', 'changed')).exitCode).toBe(0);
	expect(readFileSync(join(project, 'own.txt'), 'utf8')).toBe('changed');
	expect(lstatSync(join(project, 'alias.txt')).isSymbolicLink()).toBe(true);
});

test('a link that is put in place after the check leads nowhere', () => {
	mkdirSync(join(project, 'a/b'), { recursive: true });
	writeFileSync(join(project, 'a/b/secret.txt'), 'ours');
	const at = resolvePath('a/b/secret.txt', folders, 'change');
	renameSync(join(project, 'a/b'), join(project, 'a/was'));
	symlinkSync(join(folder, 'outside'), join(project, 'a/b'));
	expect(() => readConfined(at)).toThrow('changed while it was opened');
	expect(() => writeConfined(at, Buffer.from('mine'))).toThrow('changed while it was opened');
	rmSync(join(project, 'a/b'));
	renameSync(join(project, 'a/was'), join(project, 'a/b'));
	rmSync(join(project, 'a/b/secret.txt'));
	symlinkSync(join(folder, 'outside/secret.txt'), join(project, 'a/b/secret.txt'));
	expect(() => readConfined(at)).toThrow();
	expect(() => writeConfined(at, Buffer.from('mine'))).toThrow('not a regular file');
	expect(readFileSync(join(folder, 'outside/secret.txt'), 'utf8')).toBe('secret');
});

test('closed names, the state root, and what decides what runs, are left alone', async () => {
	writeFileSync(join(project, '.env'), 'KEY=1');
	writeFileSync(join(project, '.mcp.json'), '{}');
	mkdirSync(join(project, '.claude'));
	for (const path of ['.env', 'sub/credentials.json', join(folder, 'home/.ssh/id'), join(folder, 'state/journal.db')]) {
		expect((await read(path)).stderr).toContain('keeps');
		expect((await write(path)).stderr).toContain('closed');
	}
	for (const path of ['.mcp.json', '.claude/settings.json', '.overtone/config.json', '.git/hooks/pre-commit']) {
		expect((await write(path)).stderr).toContain('leaves');
	}
	expect((await read('.mcp.json')).stdout).toBe('     1\t{}\n');
	expect(readFileSync(join(project, '.mcp.json'), 'utf8')).toBe('{}');
});

test('HOME and TMPDIR of the caller open nothing', async () => {
	const placeBeside = (env: Record<string, string>) =>
		allowedFolders({ project, cwd: project, state: join(folder, 'state'), env });
	const own = userInfo().homedir;
	const moved = placeBeside({ HOME: join(folder, 'outside'), TMPDIR: '/etc' });
	for (const path of [join(own, '.ssh/id'), join(own, '.overtone/config.json'), join(folder, 'outside/.ssh/id')]) {
		expect(() => resolvePath(path, moved, 'read')).toThrow('keeps');
	}
	expect(() => resolvePath('/etc/hostname', moved, 'read')).toThrow('outside of the project');
	expect(moved.roots).toEqual([project, realpathSync('/tmp')]);
	expect(placeBeside({ TMPDIR: join(folder, '../../etc') }).roots).not.toContain('/etc');
	symlinkSync('/etc', join(folder, 'link'));
	expect(placeBeside({ TMPDIR: join(folder, 'link') }).roots).not.toContain('/etc');
	expect(placeBeside({ HOME: 'here', TMPDIR: 'here' })).toMatchObject({ home: own, roots: moved.roots });
	const closed = closedFiles(placeBeside({ HOME: '/x' }), project, '').map(({ pattern }) => pattern);
	expect(closed.includes('~/.ssh')).toBe(existsSync(join(own, '.ssh')));
});

test('R523 what is no regular text file is refused in words, without waiting', async () => {
	execFileSync('mkfifo', [join(project, 'pipe')]);
	writeFileSync(join(project, 'bytes'), Buffer.from([0xff, 0xfe, 0x00]));
	expect((await read('pipe')).stderr).toContain('is not a regular file');
	expect((await write('pipe')).stderr).toContain('is not a regular file');
	expect((await read('sub')).stderr).toContain('Cannot read directory');
	expect((await write('sub')).stderr).toContain('Cannot write to directory');
	expect((await read('.')).stderr).toContain('Cannot read directory');
	expect((await read('missing.txt')).stderr).toContain('File not found');
	expect((await read('own.txt/x')).stderr).toContain('File not found');
	expect((await edit('bytes')).stderr).toContain('is not UTF-8 text');
	expect((await read('a\0b')).stderr).toContain('NUL');
	expect((await write(`${'x'.repeat(300)}/y`)).exitCode).toBe(1);
});
