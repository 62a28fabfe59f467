import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { withCredentials } from '../access/credentials.ts';
import { digestOf } from '../access/principal.ts';
import { takeInstanceLock } from '../door/instance-lock.ts';
import { describeTakenPort, findPortHolder } from '../process/port-holder.ts';
import { dispatch } from './dispatch.ts';

let home: string;
let out: string[];
let err: string[];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-cli-'));
	out = [];
	err = [];
});
afterEach(() => rmSync(home, { recursive: true }));

const run = (...args: string[]) =>
	dispatch(args, {
		env: { OVERTONE_HOME: join(home, 'o') },
		cwd: home,
		print: (line) => void out.push(line),
		say: (line) => void err.push(line),
	});

test('token create prints the token alone, and it counts for its role and no other', async () => {
	expect(await run('token', 'create', '--role', 'operator')).toBe(0);
	expect(out).toHaveLength(1);
	expect(out[0]).toMatch(/^[A-Za-z0-9_.-]{24,}$/);
	const [found] = await withCredentials(join(home, 'o'), ({ find }) => find([digestOf(out[0] ?? '')]));
	expect(found?.role).toBe('operator');
	await run('token', 'create', '--role', 'viewer', '--name', 'nightly report');
	const [named] = await withCredentials(join(home, 'o'), ({ find }) => find([digestOf(out[1] ?? '')]));
	expect(named?.name).toBe('nightly report');
	expect(statSync(join(home, 'o')).mode & 0o777).toBe(0o700);
});

test('open without a server says how to start one and mints nothing', async () => {
	expect(await run('open')).toBe(1);
	expect(err.join()).toContain('signalbox start');
	expect(existsSync(join(home, 'o'))).toBe(false);
});

test('reindex removes the index when no server runs, and refuses when one does', async () => {
	await run('token', 'create', '--role', 'viewer');
	const index = join(home, 'o/index.db');
	for (const suffix of ['', '-wal', '-shm']) writeFileSync(index + suffix, 'x');
	const held = takeInstanceLock(join(home, 'o/server.lock'));
	expect(await run('reindex')).toBe(1);
	expect(err.join()).toContain(`else with \`kill ${process.pid}\`. Then run \`signalbox reindex\` again.`);
	expect(existsSync(index)).toBe(true);
	if (held.taken) held.lock.release();
	expect(await run('reindex')).toBe(0);
	for (const suffix of ['', '-wal', '-shm']) expect(existsSync(index + suffix)).toBe(false);
	expect(existsSync(join(home, 'o/journal.db'))).toBe(true);
});

test('an occupied port is reported with the process that holds it', async () => {
	const server = createServer();
	const port = await new Promise<number>((resolve) => {
		server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
	});
	expect(findPortHolder(port)?.pid).toBe(process.pid);
	expect(describeTakenPort(port)).toContain(`process ${process.pid} (`);
	expect(describeTakenPort(port)).toContain('Stop it, or choose another port');
	await new Promise((resolve) => server.close(resolve));
	expect(findPortHolder(port)).toBeUndefined();
});

test('if a server of Signalbox holds the port, the message says how to stop it', async () => {
	const code = "require('net').createServer().listen(0, '127.0.0.1', function () { console.log(this.address().port) })";
	const other = spawn(process.execPath, ['-e', code, 'dist/signalbox.js', 'start'], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(other.stdout, 'data');
	expect(describeTakenPort(Number(line))).toContain(`else with \`kill ${other.pid}\`. Or choose another port`);
	other.kill();
	await once(other, 'exit');
});
