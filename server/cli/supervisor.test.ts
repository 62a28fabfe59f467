import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
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

test('R435 on, off and reset change the state file and the timeline tells it; status changes nothing', async () => {
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

test('R424 R435 without --session the supervisor is that of CCC_SUPERVISOR_ID; without any session it is refused', async () => {
	expect(await run('on', { CCC_SUPERVISOR_ID: 'mine', CCC_CONFIG_DIR: join(root, '.claude') })).toBe(0);
	expect(existsSync(file('mine'))).toBe(true);
	expect(await run('on --session s1', { CCC_SUPERVISOR_ID: 'mine' })).toBe(0);
	expect(existsSync(file('s1'))).toBe(true);
	expect(await run('on')).toBe(1);
	expect(err.at(-1)).toContain('--session');
	expect(await run('on', { CCC_SUPERVISOR_ID: '../x' })).toBe(2);
	expect(await run('twice --session s1')).toBe(2);
});
