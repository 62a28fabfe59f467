import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { writeArchivedCarts } from './demo-recording.ts';
import { dispatch } from './dispatch.ts';

let home: string;
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-rejudge-'));
});
afterEach(() => rmSync(home, { recursive: true }));

async function run(...words: string[]) {
	const out: string[] = [];
	const err: string[] = [];
	const env = { OVERTONE_HOME: home };
	const terminal = { env, cwd: home, print: (line: string) => out.push(line), say: (line: string) => err.push(line) };
	return { code: await dispatch(['rejudge', ...words], terminal), out: out.join('\n'), err: err.join('\n') };
}

test('the demo’s history says which commands a stricter list would have stopped, and with its own settings nothing', async () => {
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeArchivedCarts(home, project, Date.now());
	expect(JSON.parse((await run('--all', '--json')).out)).toEqual({ judged: 1, notJudged: 0, changed: [] });
	const stricter = await run('--all', '--set', 'commands.exclude=["sudo","git"]', '--json');
	expect(JSON.parse(stricter.out).changed).toMatchObject([
		{
			sessionId: 'cart-again',
			toolUseId: 'cart-ran',
			before: 'pass',
			after: 'deny',
			rule: 'command.excluded',
			ran: true,
		},
	]);
	const two = await run(
		'--session',
		'cart-again',
		'--set',
		'commands.exclude=["rm","mv"]',
		'--set',
		'gates.routing.enabled=false',
	);
	expect(two.out).toMatch(
		/1 would change: 0 more denied, 1 no longer denied\.\ncart-again {2}deny -> pass {2}command\.excluded {2}did not run {2}sudo npm/,
	);
});

test.each([
	[['--set', 'commands.exclude'], 'KEY=JSON'],
	[['--set', 'commands.exclude=[rm]'], 'is not JSON'],
	[['--set', 'commands.exclude=["git push"]'], 'without arguments'],
	[['--set', 'gates.unknown.enabled=true'], 'history can be asked about commands.exclude'],
	[['--all', '--session', 's1'], 'not both'],
])('%j is refused with what fits', async (words, problem) => {
	expect(await run(...words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining(problem) });
});

test('a text of --set may contain what looks like the next --set', async () => {
	const words = ['--all', '--set', 'commands.exclude=["sudo","x,gates.loop.enabled=1"]', '--json'];
	expect(JSON.parse((await run(...words)).out)).toEqual({ judged: 0, notJudged: 0, changed: [] });
});

test('a session that is not recorded is named', async () => {
	expect(await run('--session', 'nobody')).toMatchObject({ code: 1, err: expect.stringContaining('nobody') });
});

test('a timeline that is no plain file is left out and reported; the others are judged', async () => {
	const project = join(home, 'shop');
	makeFolder(project, 0o700);
	await writeArchivedCarts(home, project, Date.now());
	makeFolder(join(home, 'sessions/odd/timeline.jsonl'), 0o700);
	makeFolder(join(home, 'sessions/link'), 0o700);
	symlinkSync('/dev/zero', join(home, 'sessions/link/timeline.jsonl'));
	const { out, err } = await run('--all', '--json');
	expect(JSON.parse(out)).toMatchObject({ judged: 1 });
	expect(err).toMatch(
		/timeline of (?:odd|link) is not a regular file[\s\S]*timeline of (?:odd|link) is not a regular file/,
	);
});
