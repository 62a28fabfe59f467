import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type InstalledHook, installHook } from '../testing/installed-hook.ts';
import { SERVER_PROGRAM, startDashboard } from './start-dashboard.ts';

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
