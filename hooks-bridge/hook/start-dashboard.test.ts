import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LAST_URL, SERVER_PROGRAM } from '../ports/server-url.ts';
import { type InstalledHook, installHook } from '../testing/installed-hook.ts';
import { startDashboard } from './run-hook.ts';

let hook: InstalledHook;
beforeEach(async () => {
	hook = await installHook();
});
afterEach(() => hook.remove());

it('R284 the server is started only where its program is known and nobody forbids it', () => {
	const start = vi.fn();
	expect(startDashboard(hook.home, {}, start)).toBe(false);
	const program = join(hook.home, 'signalbox.js');
	for (const noted of ['', 'signalbox.js', '/nowhere/signalbox.js', hook.home]) {
		note(noted);
		expect(startDashboard(hook.home, {}, start)).toBe(false);
	}
	writeFileSync(program, '');
	note(program);
	expect(startDashboard(hook.home, { OVERTONE_NO_DASHBOARD: '1' }, start)).toBe(false);
	expect(start).not.toHaveBeenCalled();
	expect(startDashboard(hook.home, {}, start)).toBe(true);
	expect(start).toHaveBeenCalledWith(program, ['start']);
});

it('R1255 it takes the port that the home’s server had last, unless the environment chooses one', () => {
	const start = vi.fn();
	const program = join(hook.home, 'signalbox.js');
	writeFileSync(program, '');
	note(program);
	const last = (url: string, env: Record<string, string> = {}) => {
		writeFileSync(join(hook.home, LAST_URL), url);
		startDashboard(hook.home, env, start);
		return start.mock.lastCall?.[1];
	};
	expect(last('http://abcde.signalbox.localhost:7391\n')).toEqual(['start', '--port', '7391']);
	expect(last('http://abcde.signalbox.localhost:7391', { SIGNALBOX_PORT: '7001' })).toEqual(['start']);
	for (const junk of ['', 'http://x:99999999', 'http://x:1 --evil', 'https://x:1', '\u001b[2J']) {
		expect(last(junk)).toEqual(['start']);
	}
});

it('R284 the fallback starts it at the start of a guided session, never of another', async () => {
	const program = join(hook.home, 'signalbox.cjs');
	const witness = join(hook.home, 'started');
	writeFileSync(program, `require('fs').writeFileSync(${JSON.stringify(witness)}, process.argv[2])`);
	note(program);
	const input = JSON.stringify({
		session_id: 's1',
		cwd: hook.project,
		hook_event_name: 'SessionStart',
		source: 'startup',
	});
	expect(await hook.run(['open', '15'], input)).toMatchObject({ code: 0, stdout: '' });
	expect(existsSync(witness)).toBe(false);
	writeFileSync(join(hook.home, 'config.json'), '{"workflow":{"enabled":true}}');
	const { code, stdout } = await hook.run(['open', '15'], input);
	expect(code).toBe(0);
	expect(JSON.parse(stdout)).toEqual({ systemMessage: 'Signalbox watches this session.' });
	await vi.waitFor(() => expect(readFileSync(witness, 'utf8')).toBe('start'), { timeout: 10_000 });
});

function note(text: string): void {
	mkdirSync(join(hook.home, 'bin'), { recursive: true });
	writeFileSync(join(hook.home, SERVER_PROGRAM), text);
}
