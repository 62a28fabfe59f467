import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hookEntries } from '../setup/hook-entries.ts';
import { dispatch } from './dispatch.ts';

let root: string;
const out: string[] = [];
const err: string[] = [];
beforeEach(() => {
	root = realpathSync(mkdtempSync(join(tmpdir(), 'sbx-sup-')));
	out.length = 0;
	err.length = 0;
});
afterEach(() => rmSync(root, { recursive: true }));

function run(args: string, env: Record<string, string> = {}): Promise<number> {
	return dispatch(['supervisor', ...args.split(' ')], {
		env: { HOME: root, OVERTONE_HOME: join(root, 'o'), ...env },
		cwd: root,
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
}
const file = (id: string) => join(root, `.claude/ccc/supervisor-${id}.json`);

test('on, off and reset change the state file and the timeline records it; status changes nothing', async () => {
	expect(await run('status --session s1')).toBe(0);
	expect(out.slice(0, 2)).toEqual(['off', '0 of 20 reviews used, each at most 600 s']);
	expect(existsSync(file('s1'))).toBe(false);
	expect(await run('on --session s1')).toBe(0);
	expect(JSON.parse(readFileSync(file('s1'), 'utf8'))).toMatchObject({ session_id: 's1', enabled: true, count: 0 });
	expect(await run('reset --session s1')).toBe(0);
	expect(await run('off --session s1')).toBe(0);
	expect(JSON.parse(readFileSync(file('s1'), 'utf8'))).toMatchObject({ enabled: false });
	const lines = readFileSync(join(root, 'o/sessions/s1/timeline.jsonl'), 'utf8').split('\n').filter(Boolean);
	expect(lines.map((line) => JSON.parse(line).action)).toEqual(['on', 'reset', 'off']);
});

test('switched on without its hooks, it prints the command that registers them, and names the session', async () => {
	const project = join(root, 'shop');
	mkdirSync(join(root, 'o/sessions/s1'), { recursive: true });
	mkdirSync(project);
	const prompt = { type: 'prompt:submit', source: 'user', prompt: 'Mend the\nbasket', cwd: project };
	writeFileSync(join(root, 'o/sessions/s1/timeline.jsonl'), `${JSON.stringify(prompt)}\n`);
	expect(await run(`on --project ${project}`)).toBe(0);
	expect(out).toContain('session s1 “Mend the basket”');
	expect(err.at(-1)).toContain(`init --supervisor --project ${project}\``);
	const linesBefore = out.length;
	const words = ['doctor', '--project', project];
	const terminal = { env: { HOME: root, OVERTONE_HOME: join(root, 'o') }, cwd: root, say: () => undefined };
	await dispatch(words, { ...terminal, print: (line) => void out.push(line) });
	expect(out.slice(linesBefore).join('\n')).toMatch(/warn +supervisor +on for session s1/);
	mkdirSync(join(project, '.claude'));
	const hooks = JSON.stringify({ hooks: hookEntries(60, true) });
	writeFileSync(join(project, '.claude/settings.json'), hooks);
	err.length = 0;
	expect(await run(`status --project ${project}`)).toBe(0);
	// R1026
	expect(await run('status --session s1')).toBe(0);
	expect(err).toEqual([]);
});

test('without --session the supervisor is that of CCC_SUPERVISOR_ID; without any session it is refused', async () => {
	expect(await run('on', { CCC_SUPERVISOR_ID: 'mine', CCC_CONFIG_DIR: join(root, '.claude') })).toBe(0);
	expect(existsSync(file('mine'))).toBe(true);
	expect(await run('on --session s1', { CCC_SUPERVISOR_ID: 'mine' })).toBe(0);
	expect(existsSync(file('s1'))).toBe(true);
	expect(await run('on')).toBe(1);
	expect(err.at(-1)).toContain('--session');
	expect(await run('on', { CCC_SUPERVISOR_ID: '../x' })).toBe(2);
	expect(await run('twice --session s1')).toBe(2);
});
