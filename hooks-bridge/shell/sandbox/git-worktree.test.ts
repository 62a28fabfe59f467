import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keepTemporaryOnDisk } from '../../testing/temporary-on-disk.ts';
import { allowedFolders } from '../files/allowed-folders.ts';
import { createSandbox, worktreeFolders } from './sandbox.ts';
import { createSandboxManager } from './sandbox-manager.ts';

keepTemporaryOnDisk();
let folder: string;
let main: string;
let worktree: string;
let env: NodeJS.ProcessEnv;
const git = (cwd: string, ...args: string[]) =>
	execFileSync('git', args, { cwd, env, encoding: 'utf8', stdio: 'pipe' });

beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'worktree-')));
	[main, worktree] = [join(folder, 'main'), join(folder, 'trees/shop')];
	for (const name of ['main', 'home', 'state']) mkdirSync(join(folder, name));
	const who = { GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b' };
	env = { NODE_ENV: 'test', PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), TMPDIR: worktree, ...who };
	git(main, 'init', '-q', '-b', 'trunk');
	git(main, 'commit', '-q', '--allow-empty', '-m', 'first');
	git(main, 'worktree', 'add', '-q', '-b', 'work', worktree);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a line in the sandbox of a project, whose folder for temporary files is itself. */
function run(line: string, project = worktree) {
	const own = { ...env, TMPDIR: project };
	const folders = allowedFolders({ project, cwd: project, state: join(folder, 'state'), env: own });
	return createSandboxManager({
		sandbox: createSandbox({ place: folders, env: own }),
		env: own,
		withoutSandbox: 'refuse',
	}).execute(line, project);
}

const hasSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

describe.runIf(hasSandbox)('in the sandbox', () => {
	test('R539 a commit in a worktree of a repository elsewhere is made', async () => {
		const line =
			'echo x > a.txt && git add a.txt && git commit -q -m second && git checkout -q -b more && git stash list';
		expect(await run(line)).toMatchObject({ exitCode: 0, stderr: '' });
		expect(git(main, 'log', '--format=%s', 'work').trim()).toBe('second\nfirst');
		expect(git(worktree, 'status', '--porcelain')).toBe('');
	});

	test.each([
		['the settings of the repository', 'git config core.fsmonitor evil'],
		['its settings, by hand', 'echo "[core]fsmonitor=evil" >> "$MAIN/.git/config"'],
		['its hooks', 'echo evil > "$MAIN/.git/hooks/pre-commit"'],
		['its files', 'echo evil > "$MAIN/x.sh"'],
		['another folder in its place', 'mv "$MAIN/.git" "$MAIN/g"'],
		['the file that names it', 'echo "gitdir: /tmp/evil" > .git'],
		['another file in the place of that', 'mv .git g; cp g .git'],
	])('R539 %s cannot be changed from a worktree', async (_what, line) => {
		const before = ['config', 'HEAD'].map((name) => readFileSync(join(main, '.git', name), 'utf8'));
		const mark = readFileSync(join(worktree, '.git'), 'utf8');
		expect((await run(`MAIN=${main}; ${line}`)).exitCode).not.toBe(0);
		expect(['config', 'HEAD'].map((name) => readFileSync(join(main, '.git', name), 'utf8'))).toEqual(before);
		expect(readFileSync(join(worktree, '.git'), 'utf8')).toBe(mark);
	});

	test('R539 a folder around what is only read cannot be moved away, so that no other comes into its place', async () => {
		const line = 'mv .git g; cp -r g .git; echo "[core]fsmonitor=evil" >> .git/config';
		expect((await run(line, main)).exitCode).not.toBe(0);
		expect(readFileSync(join(main, '.git/config'), 'utf8')).not.toContain('evil');
	});
});

test('only a worktree that its repository knows opens folders of it', () => {
	const own = join(main, '.git/worktrees/shop');
	const writable = [own, ...['objects', 'refs', 'logs'].map((name) => join(main, '.git', name))];
	expect(worktreeFolders(worktree)).toEqual({ writable, kept: [] });
	expect(worktreeFolders(main)).toEqual({ writable: [], kept: [] });
	const forged = join(folder, 'forged');
	mkdirSync(forged);
	const isClosed = (mark: string) => {
		writeFileSync(join(forged, '.git'), mark);
		return worktreeFolders(forged).writable.length === 0;
	};
	// Somebody else's worktree, a repository, a folder with secrets, and one that the agent made.
	const made = join(forged, 'g/worktrees/x');
	mkdirSync(made, { recursive: true });
	writeFileSync(join(made, 'gitdir'), join(forged, '.git'));
	symlinkSync(join(folder, 'home'), join(forged, 'g/objects'));
	symlinkSync(join(folder, 'home'), join(forged, 'g/refs'));
	for (const named of [own, join(main, '.git'), join(folder, 'home'), made, '', '\0', 'x\ny']) {
		expect([named, isClosed(`gitdir: ${named}\n`)]).toEqual([named, true]);
	}
});

test('settings of a worktree are only read where the repository has them read', () => {
	writeFileSync(join(main, '.git/config'), '[extensions]\n\tworktreeConfig = true\n', { flag: 'a' });
	expect(worktreeFolders(worktree)).toEqual({ writable: [], kept: [] });
	const settings = join(main, '.git/worktrees/shop/config.worktree');
	writeFileSync(settings, '');
	expect(worktreeFolders(worktree).kept).toEqual([settings]);
});
