import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { openSqliteJournal } from '../store/sqlite-journal.ts';
import { createDeskHome, decisionIn, deniedCall, hookHeaders, operator, startDesk, startHook } from './desk-rig.ts';

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
	for (let delayMs = 0; delayMs < 9; delayMs += 3) {
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

/** One request to the door of a server that may die; the body of a 200, else nothing. */
function knock(home: string, path: string, call?: { requestId: string; body: string }) {
	return new Promise<{ location: string | undefined; body: string }>((resolve) => {
		const socketPath = join(home, 'bridge.sock');
		const method = call ? 'POST' : 'GET';
		const headers = call ? hookHeaders(call.requestId) : {};
		const request = http.request({ socketPath, method, path, agent: false, headers }, (response) => {
			let text = '';
			response.setEncoding('utf8').on('data', (part: string) => {
				text += part;
			});
			response.on('error', () => resolve({ location: undefined, body: '' }));
			response.on('end', () =>
				resolve({ location: response.headers.location, body: response.statusCode === 200 ? text : '' }),
			);
		});
		request.on('error', () => resolve({ location: undefined, body: '' }));
		request.end(call?.body);
	});
}

const IN_FLIGHT = 10;

test('R731 A4: killed before, while and after a decision is written, nothing is let through without its row', async () => {
	const { numRuns, seed } = soakRuns('A4', 30, 1000);
	const { home, project } = createDeskHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const told: { id: string; decision: unknown }[] = [];
	const kills = numRuns / IN_FLIGHT;
	for (let kill = 0; kill < kills; kill += 1) {
		const moment = ['before', 'during', 'after'][(seed + kill) % 3];
		const { child, line } = await startServer(home, `die:${1 + ((seed + kill) % IN_FLIGHT)}:${moment}`);
		const asked = Array.from({ length: IN_FLIGHT }, async (_, nth) => {
			const call = JSON.stringify(deniedCall(project, `toolu_${kill}_${nth}`));
			const requestId = `run-${kill}-${nth}`;
			const { location = '' } = await knock(home, '/hooks/claude-code', { requestId, body: call });
			const { body } = await knock(home, location);
			told.push({
				id: location.replace('/tickets/', ''),
				decision: body === '' ? undefined : decisionIn(body).decision,
			});
		});
		const ids: string[] = [];
		for (let nth = 0; nth < IN_FLIGHT; nth += 1) ids.push((await line()).replace('waiting ', ''));
		const gone = once(child, 'exit');
		child.stdin?.write(ids.map((id) => `approve ${id}\n`).join(''));
		await Promise.all([...asked, gone]);
	}
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const isApproved = (id: string) =>
		journal.bySubject(id).some(({ kind, payload }) => kind === 'approval:resolve' && payload.decision === 'approve');
	const allowed = told.filter(({ decision }) => decision === 'allow');
	const unproven = allowed.filter(({ id }) => !isApproved(id));
	const approved = told.filter(({ id }) => isApproved(id));
	const started = readFileSync(join(home, 'sessions/s1/timeline.jsonl'), 'utf8').split('"agent:delegate"').length - 1;
	await journal.close();
	soakCounts('A4', {
		kills,
		decisions: told.length,
		written: approved.length,
		'let through': allowed.length,
		'without a row': unproven.length,
	});
	expect(told).toHaveLength(numRuns);
	expect(unproven).toEqual([]);
	expect(started).toBeLessThanOrEqual(approved.length);
}, 3_600_000);

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
