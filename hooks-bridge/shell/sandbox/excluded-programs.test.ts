import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepTemporaryOnDisk } from '../../testing/temporary-on-disk.ts';
import { allowedFolders } from '../files/allowed-folders.ts';
import { excludedPrograms } from './closed-files.ts';
import { createSandbox } from './sandbox.ts';
import { createSandboxManager } from './sandbox-manager.ts';

keepTemporaryOnDisk();
let folder: string;
let env: Record<string, string>;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'excluded-')));
	for (const name of ['project', 'bin', 'other', 'state']) mkdirSync(join(folder, name));
	writeFileSync(join(folder, 'other/zap-1.0'), '#!/bin/sh\necho zapped\n');
	chmodSync(join(folder, 'other/zap-1.0'), 0o755);
	symlinkSync(join(folder, 'other/zap-1.0'), join(folder, 'bin/zap'));
	env = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin`, HOME: folder };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function run(line: string, exclude: readonly string[]) {
	const project = join(folder, 'project');
	const folders = allowedFolders({ project, cwd: project, state: join(folder, 'state'), env });
	const sandbox = createSandbox({ place: folders, env, excluded: () => exclude });
	return createSandboxManager({ sandbox, env, withoutSandbox: 'refuse' }).execute(line, project);
}

test('the files of excluded programs are found behind links, by the PATH and in the folders of the system', () => {
	const found = excludedPrograms(['zap', 'sh', 'task:', 'nothing-of-that-name'], env).map(({ path }) => path);
	expect(found).toContain(join(folder, 'other/zap-1.0'));
	expect(found).toContain(realpathSync('/bin/sh'));
	expect(found).toHaveLength(2);
});

const hasSandbox = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

test.runIf(hasSandbox).each([
	['by its name', 'zap'],
	['by its path', '"$HOME/bin/zap"'],
	['by the file behind the link', '$HOME/other/zap-1.0'],
	['from another language', `node -e 'console.log(require("child_process").execSync("za" + "p")+"")'`],
	['by a copy', 'cp "$HOME/bin/zap" ./q; chmod +x q; ./q'],
	['by a script in a file', 'echo zap > x.sh; sh x.sh'],
	['as a text', 'sh "$HOME/other/zap-1.0"'],
])('R2311 in the sandbox nothing starts an excluded program: %s', async (_way, line) => {
	const { stdout, stderr } = await run(line, ['zap']);
	expect(stdout).not.toContain('zapped');
	expect(stderr).toMatch(/ermission denied|cannot open|not permitted/);
});

test.runIf(hasSandbox)('R2311 what is not excluded runs as before', async () => {
	expect((await run('zap; ls -d .', [])).stdout).toBe('zapped\n.\n');
	expect(await run('ls -d .; exit 3', ['zap'])).toMatchObject({ stdout: '.\n', exitCode: 3 });
});
