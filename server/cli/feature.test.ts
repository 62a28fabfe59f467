import {
	appendFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { verifyExport } from '../archives/features/verify-export.ts';
import { dispatch } from './dispatch.ts';

let root: string;
let out: string[];
let err: string[];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'sbx-fcli-'));
	mkdirSync(join(root, 'shop/.git'), { recursive: true });
	mkdirSync(join(root, 'shop/src'));
});
afterEach(() => rmSync(root, { recursive: true }));

async function run(...args: string[]): Promise<number> {
	out = [];
	err = [];
	return dispatch(args, {
		env: { OVERTONE_HOME: join(root, 'o') },
		cwd: join(root, 'shop/src'),
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});
}

const at = (path: string) => join(root, 'shop/specs/features', path);

/** A session of the project with a secret in its prompt and its input. */
function session(id: string): void {
	const file = join(root, 'o/sessions', id, 'timeline.jsonl');
	mkdirSync(join(root, 'o/sessions', id), { recursive: true });
	const appendEvent = (n: number, type: string, fields: object) => {
		const ts = new Date(Date.UTC(2026, 1, 23, 14, 0, n)).toISOString();
		const [category] = type.split(':');
		appendFileSync(
			file,
			`\n${JSON.stringify({ id: `${id}-${n}`, ts, type, category, label: type, sessionId: id, ...fields })}\n`,
		);
	};
	appendEvent(1, 'session:start', { cwd: join(root, 'shop') });
	appendEvent(2, 'prompt:submit', { prompt: 'my password is hunter2', source: 'user' });
	appendEvent(3, 'tool:call', { tool: 'Bash', input: { command: 'echo hunter2', pin: 4711 }, toolUseId: 't1' });
	appendEvent(4, 'gate:verdict', {
		gate: 'command',
		decision: 'deny',
		rule: 'destructive',
		reason: 'hunter2',
		facts: { argv: ['hunter2'] },
	});
}

/** An archived feature of one session; gives the name of its folder. */
async function archived(): Promise<string> {
	session('s1');
	expect(await run('feature', 'new', 'user-login', '--workflow', 'quick', '--session', 's1')).toBe(0);
	expect(await run('feature', 'archive', 'user-login')).toBe(0);
	return out[0]?.split('/').at(-1) ?? '';
}

test('a feature whose pause or resume could not be recorded stays where it was', async () => {
	expect(await run('feature', 'new', 'cart')).toBe(0);
	expect(await run('feature', 'new', 'later', '--backlog')).toBe(0);
	const timeline = join(root, 'o/sessions/_home/timeline.jsonl');
	rmSync(timeline);
	mkdirSync(timeline);
	for (const words of [
		['pause', 'cart'],
		['resume', 'later'],
	]) {
		expect(await run('feature', ...words)).toBe(1);
		expect(await run('feature', 'list')).toBe(0);
		expect(out.map((line) => line.replace(/ +/g, ' '))).toEqual(['in-progress - cart', 'backlog - later']);
	}
	expect(readFileSync(at('in-progress/cart/tasks.md'), 'utf8')).toContain('status: in-progress');
	rmSync(timeline, { recursive: true });
	expect(await run('feature', 'pause', 'cart')).toBe(0);
});

test('new, list, pause, resume and archive work on the project around the folder', async () => {
	expect(await run('feature', 'list')).toBe(0);
	expect(err.join()).toContain('feature new');
	session('s1');
	expect(await run('feature', 'new', 'user-login', '--workflow', 'quick')).toBe(0);
	expect(out).toEqual(['specs/features/in-progress/user-login']);
	expect(readFileSync(at('in-progress/user-login/tasks.md'), 'utf8')).toContain('- [ ] REVIEW');
	expect(readFileSync(join(root, 'o/sessions/s1/timeline.jsonl'), 'utf8')).toContain('"specs:init"');
	expect(await run('feature', 'new', 'later', '--backlog', '--project', join(root, 'shop'))).toBe(0);
	expect(await run('feature', 'pause', 'user-login')).toBe(0);
	expect(await run('feature', 'list')).toBe(0);
	expect(out).toEqual(['paused           0/4  user-login  quick', 'backlog            -  later']);
	expect(await run('feature', 'resume', 'user-login')).toBe(0);
	expect(await run('feature', 'archive', 'user-login')).toBe(0);
	expect(await run('feature', 'list', '--json')).toBe(0);
	expect(JSON.parse(out.join('\n'))).toMatchObject([
		{ name: 'later', state: 'backlog' },
		{ name: 'user-login', state: 'archived', workflow: 'quick', tasks: { done: 0, total: 4 } },
	]);
});

test('a refusal exits 1 with the reason, a wrong command line 2; neither changes anything', async () => {
	expect(await run('feature', 'pause', 'none')).toBe(1);
	expect(err.join()).toContain('no feature none');
	for (const args of [
		...[
			['feature'],
			['feature', 'drop', 'x'],
			['feature', 'new'],
			['feature', 'new', '../x'],
			['feature', 'list', 'x'],
		],
		...[
			['feature', 'new', 'x', '--workflow', 'fast'],
			['feature', 'new', 'x', '--session', '../s'],
		],
		...[['archive'], ['archive', 'export'], ['archive', 'open'], ['archive', 'drop', 'x']],
	]) {
		expect([args, await run(...args)]).toEqual([args, 2]);
	}
	expect(await run('archive', 'verify', 'none')).toBe(1);
	expect(existsSync(at('.'))).toBe(false);
});

test('an export holds everything, is never written over another file, and its first wrong place is named', async () => {
	const folder = await archived();
	expect(await run('archive', 'verify')).toBe(0);
	const file = join(root, 'x.gz');
	expect(await run('archive', 'export', folder, '--output', file)).toBe(0);
	expect(out).toEqual([file]);
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(await run('archive', 'export', folder, '--output', file)).toBe(1);
	expect(await run('archive', 'verify', file)).toBe(0);
	expect(await run('archive', 'open', file)).toBe(0);
	expect(out.join('\n')).toMatch(/Feature +user-login[\s\S]*Denials +0/);

	const lines = gunzipSync(readFileSync(file)).toString().split('\n');
	const change = async (edit: (all: string[]) => string[]) => {
		writeFileSync(file, gzipSync(edit([...lines]).join('\n')));
		const code = await run('archive', 'verify', file);
		return code === 0 ? 'ok' : err.join();
	};
	const piece = lines.findIndex((line) => line.includes('"timeline":{"sessionId"'));
	const data = lines[piece] ?? '';
	const flipped = data.replace(/"data":"(.)/, (_, first: string) => `"data":"${first === 'A' ? 'B' : 'A'}`);
	expect(await change((all) => all.with(piece, flipped))).toMatch(/wrong at timeline s1\.jsonl\.gz, bytes 0 to \d+/);
	expect(await change((all) => all.toSpliced(piece, 1))).toContain('missing');
	expect(await change((all) => all.slice(0, -2))).toContain('where the file was cut');
	expect(await change((all) => [...all.slice(0, -1), '{}'])).toContain('something comes after it');
	expect(await change((all) => all.slice(1))).toContain('line 1');
	expect(await change((all) => all.with(0, (all[0] ?? '').replace('user-login', 'user-logout')))).toContain('the end');
	writeFileSync(file, readFileSync(file).subarray(0, 100));
	expect(await run('archive', 'verify', file)).toBe(1);
	writeFileSync(file, 'no gzip');
	expect(await run('archive', 'open', file)).toBe(1);
});

test('R326 a redacted export goes into the folder, holds no word of prompts, inputs and outputs, and is still an archive', async () => {
	const folder = await archived();
	expect(await run('archive', 'export', folder, '--redact')).toBe(0);
	const file = at(`archive/${folder}/timelines.redacted.gz`);
	expect(out).toEqual([file]);
	const text = gunzipSync(readFileSync(file)).toString();
	for (const secret of ['hunter2', 'password', '4711', 'echo', root, 's1-2']) expect(text).not.toContain(secret);
	for (const kept of [
		'"decision":"deny"',
		'"rule":"destructive"',
		'"tool":"Bash"',
		'"command"',
		'[redacted: 22 characters',
	]) {
		expect(text).toContain(kept);
	}
	expect(await verifyExport(file)).toMatchObject({ ok: true, events: 6, head: { redacted: true } });
	expect(await run('archive', 'open', file)).toBe(0);
	expect(out.join()).toContain('left out');
});

test('verify names the first wrong range, file or document of what is kept', async () => {
	const folder = await archived();
	const id = (await run('archive', 'verify')) === 0 ? (out[0]?.split(':')[0] ?? '') : '';
	const kept = join(root, 'o/archive', id);
	const bytes = gunzipSync(readFileSync(join(kept, 's1.jsonl.gz')));
	writeFileSync(at(`archive/${folder}/tasks.md`), 'changed');
	expect(await run('archive', 'verify', folder)).toBe(1);
	expect(err.join()).toContain('wrong at document tasks.md');
	bytes.write('X', 100);
	writeFileSync(join(kept, 's1.jsonl.gz'), gzipSync(bytes));
	expect(await run('archive', 'verify', id)).toBe(1);
	expect(err.join()).toMatch(/wrong at timeline s1\.jsonl\.gz, bytes 0 to \d+/);
	expect(await run('archive', 'open', id)).toBe(1);
	expect(out.join()).toContain('user-login');
	rmSync(join(kept, 's1.jsonl.gz'));
	expect(await run('archive', 'verify')).toBe(1);
	expect(err.join()).toContain('not there');
});
