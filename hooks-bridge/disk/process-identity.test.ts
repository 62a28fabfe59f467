import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { identityOf, isAlive } from './process-identity.ts';

const started: ChildProcess[] = [];
afterEach(() => {
	for (const child of started.splice(0)) child.kill('SIGKILL');
});

test('R92 a process is known by number and start time', () => {
	const own = identityOf(process.pid);
	expect(own).not.toBeNull();
	if (!own) return;
	expect(isAlive(own)).toBe(true);
	expect(isAlive({ pid: own.pid, start: 'another' })).toBe(false);
});

test('R92 a zombie counts as gone', async () => {
	const parent = spawn('sh', ['-c', 'sleep 0 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
	started.push(parent);
	const [line] = await once(parent.stdout, 'data');
	// The shell became `sleep`, which never collects its child: as soon as that ends it is a zombie.
	await expect.poll(() => identityOf(Number(String(line).trim()))).toBeNull();
});

test('a number that would name a group of processes is no process', () => {
	for (const pid of [0, -1, -process.pid]) {
		expect(identityOf(pid)).toBeNull();
		expect(isAlive({ pid, start: null })).toBe(false);
	}
});
