import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { programFile } from './program-file.ts';

test('a program is found by a path or by the PATH, behind links, and known by its content', () => {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), 'program-')));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, 'bin'));
	const real = join(folder, 'real.sh');
	writeFileSync(real, 'one');
	symlinkSync(real, join(folder, 'bin/tool'));
	const find = (word: string) => programFile(word, folder, `relative:/nowhere:${join(folder, 'bin')}`);
	expect(find('tool')).toBeNull();
	chmodSync(real, 0o755);
	const found = find('tool');
	expect(found).toMatchObject({ path: real, digest: expect.stringMatching(/^[\da-f]{64}$/) });
	expect([find('./bin/tool'), find(real)]).toEqual([found, found]);
	writeFileSync(real, 'two');
	expect(find('tool')?.digest).not.toBe(found?.digest);
	expect([find('bin'), find('./bin'), find('none')]).toEqual([null, null, null]);
});
