import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dispatch } from './dispatch.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-rules-'));
});
afterEach(() => rmSync(home, { recursive: true }));

async function run(...words: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const env = { OVERTONE_HOME: home };
	const terminal = { env, cwd: home, print: (line: string) => out.push(line), say: (line: string) => err.push(line) };
	return { code: await dispatch(['rules', ...words], terminal), out: out.join('\n'), err: err.join('\n') };
}
const exclude = (...patterns: string[]) =>
	writeFileSync(join(home, 'config.json'), JSON.stringify({ commands: { exclude: patterns } }));

test('`signalbox rules test` prints the verdict of this home’s policy on a line, and the part that decides', async () => {
	expect(await run('test', 'rm x')).toMatchObject({
		code: 0,
		out: expect.stringMatching(/^passes: nothing is excluded here\. To deny .*commands.*exclude/),
	});
	exclude('rm');
	expect(await run('test', 'ls -l')).toMatchObject({ code: 0, out: 'passes: it runs nothing that is excluded' });
	const denied = await run('test', 'ls; git rebase --exec "rm x"');
	expect(denied.code).toBe(1);
	expect(denied.out).toContain('denied: rm is not allowed here (command.excluded, pattern rm)');
	expect(denied.out).toContain('by this part of the line: git rebase --exec "rm x"');
	expect(JSON.parse((await run('test', '$X y', '--json')).out)).toMatchObject({ rule: 'command.unknowable' });
	expect((await run('test', 'ls', '-l')).code).toBe(2);
	exclude('git push', 'rm');
	const unclear = await run('test', 'ls');
	expect(unclear).toMatchObject({ code: 1, out: expect.stringMatching(/^not judged: .*"git push" is not the name/) });
	expect(JSON.parse((await run('test', 'ls', '--json')).out)).toMatchObject({ unjudged: expect.any(String) });
	expect(await run('test', 'rm x')).toMatchObject({ code: 1, out: expect.stringMatching(/^denied: rm/) });
});

test('R2305 `signalbox rules coverage` judges the corpus of attacks by the settings in force and counts by class', async () => {
	expect(await run('coverage')).toMatchObject({ code: 1, err: expect.stringContaining('Nothing is excluded') });
	exclude('rm');
	const { code, out } = await run('coverage');
	expect(code).toBe(0);
	expect(out).toMatch(/^total +\d{4} +\d+ +\d+ +0$/m);
	const classes = JSON.parse((await run('coverage', '--json')).out) as {
		lines: number;
		denied: number;
		asked: number;
	}[];
	for (const { lines, denied, asked } of classes) expect(denied + asked).toBe(lines);
});
