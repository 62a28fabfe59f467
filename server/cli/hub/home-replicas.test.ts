import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { processProbe } from '../../approvals/process-probe.ts';
import { dispatch } from '../dispatch.ts';
import { homeReplicas, noteReplica } from './home-replicas.ts';

let home: string;
let err: string[];
const children: ChildProcess[] = [];
beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'sbx-replicas-'));
	err = [];
});
afterEach(() => {
	for (const child of children.splice(0)) child.kill('SIGKILL');
	rmSync(home, { recursive: true });
});

const drain = (...args: string[]) =>
	dispatch(['hub', 'drain', ...args], {
		env: { OVERTONE_HOME: home },
		cwd: home,
		print: () => undefined,
		say: (line) => void err.push(line),
	});

/** A process that ends at SIGTERM, noted as the replica at a port. */
async function runReplica(port: number): Promise<ChildProcess> {
	const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'], {
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	children.push(child);
	await once(child.stdout, 'data');
	writeFileSync(join(home, `hub-${port}.pid`), JSON.stringify(processProbe.identify(child.pid ?? 0)));
	return child;
}

test('several replicas run over one home, each noted by its port, and one that was killed is not counted', async () => {
	const forget = noteReplica(home, 7781, 'https://hub.example');
	await runReplica(7780);
	const killed = await runReplica(7790);
	const ended = once(killed, 'exit');
	killed.kill('SIGKILL');
	await ended;
	writeFileSync(join(home, 'hub-7791.pid'), 'no JSON');
	expect(homeReplicas(home).map(({ port, url }) => [port, url])).toEqual([
		[7780, undefined],
		[7781, 'https://hub.example'],
	]);
	forget();
	expect(readdirSync(home)).not.toContain('hub-7781.pid');
});

test('`hub drain` ends the replica that is named, or the only one, and asks where there are several', async () => {
	expect(await drain()).toBe(1);
	expect(err.join()).toContain('No replica of a hub runs');
	const [one, two] = [await runReplica(7780), await runReplica(7781)];
	const ended = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;
	expect(await drain()).toBe(1);
	expect(err.join()).toContain('--port (7780, 7781)');
	expect(await drain('--port', '7782')).toBe(1);
	expect(err.join()).toContain('at port 7782; replicas run at 7780, 7781');
	expect([ended(one), ended(two)]).toEqual([false, false]);
	expect(await drain('--port', '7780')).toBe(0);
	expect(await drain()).toBe(0);
	expect(homeReplicas(home)).toEqual([]);
});
