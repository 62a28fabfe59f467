import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createInitRig, putFile } from '../testing/init-rig.ts';

/** For root, who runs tests in a container, the system refuses no folder. */
const refused = vi.hoisted(() => ({ folder: '' }));
vi.mock('node:fs', async (original) => {
	const fs = await original<typeof import('node:fs')>();
	const accessSync: typeof fs.accessSync = (path, mode) => {
		const isRefused = path === refused.folder && ((mode ?? 0) & fs.constants.W_OK) !== 0;
		if (isRefused) throw Object.assign(new Error('EACCES'), { code: 'EACCES', syscall: 'access', path });
		fs.accessSync(path, mode);
	};
	return { ...fs, accessSync };
});
afterEach(() => {
	refused.folder = '';
});

test('init into a project that cannot be written writes nothing into the home either', async () => {
	const { root, project, err, run } = createInitRig();
	refused.folder = project;
	expect(await run(['init', '--agent', 'claude-code'])).toBe(1);
	expect(err).toEqual([`This user may not write ${project}. Grant that right, or use another folder.`]);
	expect(existsSync(join(root, '.overtone'))).toBe(false);
	putFile(join(project, '.claude/settings.json'), '{}');
	refused.folder = join(project, '.claude');
	expect(await run(['init', '--agent', 'claude-code', '--telemetry'])).toBe(1);
	expect(existsSync(join(root, '.overtone'))).toBe(false);
	expect(await run(['init', '--agent', 'claude-code', '--print'])).toBe(0);
});

test('before init doctor has one line for the hook, and reports a home that cannot be written', async () => {
	const { root, out, run } = createInitRig();
	const rows = () => out.join('\n').match(/^WRONG.*(?:installed|home).*$/gm);
	expect(await run(['doctor'])).toBe(1);
	const hook = expect.stringMatching(/^WRONG +installed hook +none in .*bin, so every hook does nothing$/);
	expect(rows()).toEqual([hook]);
	for (const folder of [root, join(root, '.overtone')]) {
		refused.folder = folder;
		out.length = 0;
		expect(await run(['doctor'])).toBe(1);
		expect(rows()).toEqual([
			expect.stringMatching(`^WRONG +home +this user may not write ${folder}, so nothing is recorded`),
			hook,
		]);
		mkdirSync(join(root, '.overtone'), { recursive: true });
	}
});
