import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dispatch } from './dispatch.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'cli-flow-'));
	mkdirSync(join(folder, 'shop'));
	writeFileSync(join(folder, 'shop/package.json'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function run(args: string[], env: Record<string, string> = {}) {
	const [out, err] = [[] as string[], [] as string[]];
	const code = await dispatch(['workflow', ...args], {
		env: { OVERTONE_HOME: join(folder, 'home'), ...env },
		cwd: join(folder, 'shop'),
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
	return { code, out: out.join('\n'), err: err.join('\n') };
}

/** A session of the project, last written to at `at` seconds. */
function session(id: string, at: number, cwd = join(folder, 'shop'), end?: string) {
	const path = join(folder, 'home/sessions', id);
	mkdirSync(path, { recursive: true });
	const lines = [{ type: 'session:start', cwd }, ...(end ? [{ type: end }] : [])];
	writeFileSync(join(path, 'timeline.jsonl'), lines.map((line) => `\n${JSON.stringify(line)}\n`).join(''));
	utimesSync(join(path, 'timeline.jsonl'), at, at);
}

test('start, status and stop of a session that is named', async () => {
	const to = ['--session', 's1'];
	expect(await run(['status', ...to])).toMatchObject({ code: 1, err: 'No workflow is recorded for session s1.' });
	const started = await run(['start', 'quick', '--feature', 'cart', ...to]);
	expect(started).toMatchObject({ code: 0, err: '' });
	expect(started.out).toContain('Workflow quick started in session s1 for cart.\n○ DEV ○ REVIEW ○ TEST ○ RETRO (0/4)');
	expect(await run(['start', 'quick', ...to])).toMatchObject({ code: 0, out: expect.stringContaining('runs already') });
	expect(await run(['start', 'tdd', ...to])).toMatchObject({ code: 1, err: expect.stringContaining('workflow stop') });
	expect((await run(['status', ...to])).out).toContain('failed 0, rejected 0, rounds 0, feature cart');
	// R1028
	expect((await run(['status', ...to])).out).not.toContain('loop');
	expect(await run(['stop', '--loop', ...to])).toMatchObject({ code: 0 });
	expect((await run(['status', ...to])).out).toContain("Its loop is stopped: it ends with the agent's turn.");
	expect(await run(['stop', ...to])).toMatchObject({ code: 0 });
	expect(await run(['stop', ...to])).toMatchObject({ code: 1 });
	expect((await run(['status', ...to])).out).toContain('was aborted');
});

test('a session that is named brings its project along: its feature is made there, not where the command is typed', async () => {
	mkdirSync(join(folder, 'bakery/.git'), { recursive: true });
	session('far', 100, join(folder, 'bakery'));
	await run(['start', 'quick', '--feature', 'bread', '--session', 'far']);
	expect(existsSync(join(folder, 'bakery/specs/features/in-progress/bread/tasks.md'))).toBe(true);
	expect(existsSync(join(folder, 'shop/specs'))).toBe(false);
	await run(['stop', '--session', 'far']);
	await run(['start', 'quick', '--feature', 'cake', '--session', 'far', '--project', join(folder, 'shop')]);
	expect(existsSync(join(folder, 'shop/specs/features/in-progress/cake/tasks.md'))).toBe(true);
});

test('without --session: the environment, else the newest live session of the project, else _home', async () => {
	session('old', 100);
	session('new', 200);
	session('ended', 300, undefined, 'session:end');
	session('elsewhere', 400, '/other');
	expect((await run(['start', 'single'])).out).toContain('in session new.');
	expect((await run(['start', 'single'], { CLAUDE_CODE_SESSION_ID: 'env' })).out).toContain('in session env.');
	rmSync(join(folder, 'home/sessions/new'), { recursive: true });
	rmSync(join(folder, 'home/sessions/old'), { recursive: true });
	const alone = await run(['start', 'single']);
	expect(alone.out).toContain('in session _home.');
	expect(alone.code).toBe(0);
	expect(alone.err).toContain('No session is live in this project');
	expect(alone.err).toContain('`signalbox workflow stop --session _home` ends this one');
	expect((await run(['stop', '--session', '_home'])).code).toBe(0);
	for (const verb of ['stop', 'pause', 'resume']) {
		expect(await run([verb])).toMatchObject({
			code: 1,
			err: expect.stringContaining('give its session with --session'),
		});
	}
});

test('pause, status and resume; stop --loop', async () => {
	const to = ['--session', 's1'];
	expect(await run(['pause', ...to])).toMatchObject({ code: 1, err: 'No workflow runs in this session.' });
	await run(['start', 'quick', ...to]);
	expect(await run(['pause', ...to])).toMatchObject({ code: 0, out: 'The workflow is paused (session s1).' });
	expect((await run(['status', ...to])).out).toContain('Workflow quick is paused in session s1.');
	expect((await run(['status', ...to])).out).toContain('until it is resumed');
	expect(await run(['resume', ...to])).toMatchObject({ code: 0 });
	expect((await run(['status', ...to])).out).toContain('Workflow quick runs in session s1.');
	expect(await run(['stop', '--loop', ...to])).toMatchObject({ code: 0, out: 'The loop is stopped (session s1).' });
	expect((await run(['status', ...to])).out).toContain('runs in session s1');
});

test.each([
	[['start'], 'Give a type'],
	[['start', 'nonsense'], 'There is no workflow "nonsense"'],
	[['stop', 'single'], 'Unexpected argument "single"'],
	[['halt'], 'workflow start TYPE'],
	[['start', 'single', '--session', '../x'], 'cannot be a session'],
])('R246 %j does nothing and says what fits', async (args, message) => {
	expect(await run(args)).toMatchObject({ code: 2, err: expect.stringContaining(message) });
});
