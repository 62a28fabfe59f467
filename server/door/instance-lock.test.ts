import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeInstanceLock } from './instance-lock.ts';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'signalbox-lock-')), 'home', 'server.lock');

test('R82 R1255 a second start is told who serves this home, and may start once that server is gone', () => {
	const path = newPath();
	const first = takeInstanceLock(path);
	expect(first.taken).toBe(true);
	expect(takeInstanceLock(path)).toEqual({ taken: false, holder: { pid: process.pid } });
	if (!first.taken) return;
	first.lock.announce('http://signalbox.localhost:7777');
	expect(takeInstanceLock(path)).toEqual({
		taken: false,
		holder: { pid: process.pid, url: 'http://signalbox.localhost:7777' },
	});
	first.lock.release();
	first.lock.release();
	const last = join(path, '..', 'server.url');
	expect(readFileSync(last, 'utf8')).toBe('http://signalbox.localhost:7777\n');
	expect(statSync(last).mode & 0o777).toBe(0o600);
	const next = takeInstanceLock(path);
	expect(next.taken).toBe(true);
	if (next.taken) next.lock.release();
});

test('R82 a killed holder leaves nothing that keeps the next one out', async () => {
	const path = newPath();
	const module = JSON.stringify(join(import.meta.dirname, 'instance-lock.ts'));
	const code = `import { takeInstanceLock } from ${module}; takeInstanceLock(${JSON.stringify(path)}); console.log('held'); setInterval(() => {}, 1000);`;
	const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	expect(takeInstanceLock(path)).toEqual({ taken: false, holder: { pid: child.pid } });
	child.kill('SIGKILL');
	await once(child, 'exit');
	const next = takeInstanceLock(path);
	expect(next.taken).toBe(true);
	if (next.taken) next.lock.release();
});
