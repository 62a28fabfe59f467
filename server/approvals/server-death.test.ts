import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import { createDeskHome, decisionIn, deniedCall, operator, startDesk, startHook } from './desk-rig.ts';

vi.setConfig({ testTimeout: 60_000 });

const servers: ChildProcess[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.kill('SIGKILL');
});

/** A server in another process; `line` gives its next line. */
async function startServer(home: string, mode = 'hold') {
	const child = spawn(
		process.execPath,
		['--import', 'tsx', fileURLToPath(new URL('./desk-child.ts', import.meta.url)), home, mode],
		{
			stdio: ['pipe', 'pipe', 'inherit'],
		},
	);
	servers.push(child);
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const line = async () => String((await lines.next()).value);
	expect(await line()).toBe('ready');
	return { child, line };
}

test('R93 a server killed while a hook waits: its denial is printed once, and the next server closes the ticket', async () => {
	const { home, project } = createDeskHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const { child, line } = await startServer(home);
	const { printed } = startHook(home, deniedCall(project, 'toolu_1'));
	const id = (await line()).replace('waiting ', '');
	child.kill('SIGKILL');
	const { stdout, code } = await printed;
	expect(code).toBe(0);
	expect(stdout.trim().split('\n')).toHaveLength(1);
	expect(decisionIn(stdout).decision).toBe('deny');

	const next = await startDesk({ home });
	const of = (type: string) => next.timeline().filter((event) => event.type === type);
	expect(of('gate:verdict')).toHaveLength(1);
	expect(of('approval:request')).toHaveLength(1);
	expect(of('approval:abandon')).toMatchObject([{ approvalId: id, reason: 'the server restarted' }]);
	expect(of('agent:delegate')).toEqual([]);
	expect(next.desk.get(id)).toMatchObject({ state: 'abandoned' });
	await next.stop();
});

test('R93 killed at any moment of a decision, an allow is printed only with its journal row', async () => {
	const { home, project } = createDeskHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const outcomes: { id: string; decision: unknown }[] = [];
	for (let delayMs = 0; delayMs < 10; delayMs += 2) {
		const { child, line } = await startServer(home);
		const { printed } = startHook(home, deniedCall(project, `toolu_${delayMs}`));
		const id = (await line()).replace('waiting ', '');
		child.stdin?.write(`approve ${id}\n`);
		setTimeout(() => child.kill('SIGKILL'), delayMs);
		const { stdout } = await printed;
		expect(stdout.trim().split('\n')).toHaveLength(1);
		outcomes.push({ id, decision: decisionIn(stdout).decision });
		if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
	}
	const after = await startDesk({ home });
	for (const { id, decision } of outcomes) {
		if (decision === 'allow') expect(after.desk.get(id)?.state).toBe('approved');
		else expect(after.desk.get(id)?.state).not.toBe('waiting');
	}
	await after.stop();
});

test('R603 killed between the row of a grant’s use and the answer: the denial is printed, and no second try gets it', async () => {
	const { home, project } = createDeskHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const before = await startDesk({ home, forcedHoldSeconds: 0 });
	await before.post(deniedCall(project, 'toolu_0'));
	const place = { sessionId: 's1', toolUseId: 'toolu_0' };
	const grant = await before.grants.create(before.denied(place), { scope: 'once', reason: 'needed' }, operator);
	await before.stop();

	const { child, line } = await startServer(home, 'stall');
	const { printed } = startHook(home, deniedCall(project, 'toolu_1'));
	// The hook has its denial and polls; the row is written, but not its answer.
	expect([await line(), await line()].sort()).toEqual(['used', expect.stringMatching(/^waiting /)]);
	child.kill('SIGKILL');
	expect(decisionIn((await printed).stdout).decision).toBe('deny');

	const after = await startDesk({ home, forcedHoldSeconds: 0 });
	expect(after.grants.list('used', 10)).toMatchObject([{ id: grant.id, uses: 1, lastUse: { toolUseId: 'toolu_1' } }]);
	expect(after.grants.list('active', 10)).toEqual([]);
	expect(decisionIn((await after.post(deniedCall(project, 'toolu_2'))).body).decision).toBe('deny');
	const told = after.timeline().filter(({ type }) => type === 'grant:use' || type === 'agent:delegate');
	expect(told).toMatchObject([{ type: 'grant:use', toolUseId: 'toolu_1' }]);
	await after.stop();
});
