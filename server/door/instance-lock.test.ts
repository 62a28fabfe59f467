import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageVersion } from '../process/package-root.ts';
import { builtChild } from '../testing/built-child.ts';
import { takeInstanceLock } from './instance-lock.ts';

const own = { pid: process.pid, version: packageVersion() };

const newPath = () => join(mkdtempSync(join(tmpdir(), 'signalbox-lock-')), 'home', 'server.lock');

test('R82 R1255 a second start learns which server holds this home, and may start once that server is gone', () => {
	const path = newPath();
	const first = takeInstanceLock(path);
	expect(first.taken).toBe(true);
	expect(takeInstanceLock(path)).toEqual({ taken: false, holder: own });
	if (!first.taken) return;
	first.lock.announce('http://signalbox.localhost:7777');
	expect(takeInstanceLock(path)).toEqual({
		taken: false,
		holder: { ...own, url: 'http://signalbox.localhost:7777' },
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
	const program = await builtChild('lock-child');
	const child = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
	await once(child.stdout, 'data');
	expect(takeInstanceLock(path)).toEqual({ taken: false, holder: { ...own, pid: child.pid } });
	child.kill('SIGKILL');
	await once(child, 'exit');
	const next = takeInstanceLock(path);
	expect(next.taken).toBe(true);
	if (next.taken) next.lock.release();
});

test.each([
	['bytes of no database', (path: string) => writeFileSync(path, 'x'.repeat(4096))],
	['a folder', (path: string) => mkdirSync(path)],
])('%s in the place of the lock is moved aside, and the server starts', (_what, put) => {
	const path = newPath();
	mkdirSync(join(path, '..'));
	put(path);
	const warned: string[] = [];
	const taken = takeInstanceLock(path, (message) => warned.push(message));
	expect(taken.taken).toBe(true);
	expect(warned).toEqual([expect.stringContaining(`${path}.moved-`)]);
	expect(takeInstanceLock(path)).toEqual({ taken: false, holder: own });
	if (taken.taken) taken.lock.release();
});

test('a folder in the place of the last address is moved aside; a lock that is held never is', () => {
	const path = newPath();
	mkdirSync(join(path, '..', 'server.url'), { recursive: true });
	const warned: string[] = [];
	const taken = takeInstanceLock(path, (message) => warned.push(message));
	if (!taken.taken) throw new Error('not taken');
	taken.lock.announce('http://signalbox.localhost:7777');
	expect(readFileSync(join(path, '..', 'server.url'), 'utf8')).toBe('http://signalbox.localhost:7777\n');
	expect(warned).toHaveLength(1);
	writeFileSync(path, 'x'.repeat(4096));
	expect(takeInstanceLock(path, (message) => warned.push(message)).taken).toBe(false);
	expect(warned).toHaveLength(1);
	taken.lock.release();
});
