import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { askServer } from '#hooks-bridge/door/ask-server.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { askDoor, type DoorRequest } from '../testing/ask-door.ts';
import { builtChild } from '../testing/built-child.ts';
import {
	createServiceHome,
	decisionIn,
	deniedCall,
	hookHeaders,
	operator,
	startHook,
	startService,
} from '../testing/service-rig.ts';
import { openSqliteJournal } from '../timeline/store/sqlite-journal.ts';

let program: string;
beforeAll(async () => {
	program = await builtChild('service-child');
});

const servers: ChildProcess[] = [];
afterEach(() => {
	for (const server of servers.splice(0)) server.kill('SIGKILL');
});

/** A server in another process; `line` gives its next line. */
async function startServer(home: string, mode = 'hold') {
	const child = spawn(process.execPath, [program, home, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
	servers.push(child);
	const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
	const line = async () => String((await lines.next()).value);
	expect(await line()).toBe('ready');
	return { child, line };
}

test('R93 a server killed while a hook waits: its denial is printed once, and the next server closes the ticket', async () => {
	const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const { child, line } = await startServer(home);
	const { printed } = startHook(home, deniedCall(project, 'toolu_1'));
	const id = (await line()).replace('waiting ', '');
	child.kill('SIGKILL');
	const { stdout, code } = await printed;
	expect(code).toBe(0);
	expect(stdout.trim().split('\n')).toHaveLength(1);
	expect(decisionIn(stdout).decision).toBe('deny');

	const next = await startService({ home });
	const of = (type: string) => next.timeline().filter((event) => event.type === type);
	expect(of('gate:verdict')).toHaveLength(1);
	expect(of('approval:request')).toHaveLength(1);
	expect(of('approval:abandon')).toMatchObject([{ approvalId: id, reason: 'the server restarted' }]);
	expect(of('agent:delegate')).toEqual([]);
	expect(next.service.get(id)).toMatchObject({ state: 'abandoned' });
	await next.stop();
});

test('R93 killed at any moment of a decision, an allow is printed only with its journal row', async () => {
	const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
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
	const after = await startService({ home });
	for (const { id, decision } of outcomes) {
		if (decision === 'allow') expect(after.service.get(id)?.state).toBe('approved');
		else expect(after.service.get(id)?.state).not.toBe('waiting');
	}
	await after.stop();
});

/** A hook of the shell, or of node, that waits for a person. */
const hooksThatWait = {
	'hook.sh': async (home: string, call: object) => (await startHook(home, call).printed).stdout,
	node: async (home: string, call: object) => {
		const run = { agent: 'claude-code', requestId: 'run-1', profile: 'open', timeoutSeconds: 60 } as const;
		const answer = await askServer(home, JSON.stringify(call), run, {});
		return answer.kind === 'output' ? answer.text : '';
	},
};

test.each(Object.entries(hooksThatWait))(
	'R2402 %s: an approval that did not reach the hook because its server died is late, and is not an override',
	async (_name, ask) => {
		const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
		const { child, line } = await startServer(home, 'die:1:after');
		const printed = ask(home, deniedCall(project, 'toolu_1'));
		const id = (await line()).replace('waiting ', '');
		child.stdin?.write(`approve ${id}\n`);
		expect(decisionIn(await printed).decision).toBe('deny');
		expect(readdirSync(join(home, 'denied'))).toEqual([id]);

		const next = await startService({ home });
		expect(next.service.get(id)).toMatchObject({ state: 'late', by: operator });
		const approvalEvents = () => next.timeline().filter(({ type }) => type.startsWith('approval:'));
		expect(approvalEvents().map(({ type }) => type)).toEqual(['approval:request', 'approval:resolve', 'approval:late']);
		const events = next.timeline().map((event, index) => ({ ...event, seq: index + 1 }) as unknown as IndexedEvent);
		const view = events.reduce((before, event) => fold(before, event, () => undefined).view, emptyView('s1'));
		expect(view.counters).toMatchObject({ overrides: 0, denials: 1 });
		// Recorded once; files of others in the folder stay.
		mkdirSync(join(home, 'denied', id));
		writeFileSync(join(home, 'denied/not-ours.txt'), '');
		await next.service.sweep();
		expect(approvalEvents()).toHaveLength(3);
		expect(readdirSync(join(home, 'denied'))).toEqual(['not-ours.txt']);
		await next.stop();
	},
);

test('R2402 a hook that has given its denial waits no more: its question ends at once', async () => {
	const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const rig = await startService({ home });
	const waiting = rig.next<string>('waiting');
	const { printed } = startHook(home, deniedCall(project, 'toolu_1'));
	const id = await waiting;
	mkdirSync(join(home, 'denied', id));
	await rig.service.sweep();
	expect(rig.service.get(id)).toMatchObject({ state: 'abandoned', reason: 'the hook no longer waits' });
	expect(decisionIn((await printed).stdout).decision).toBe('deny');
	expect(readdirSync(join(home, 'denied'))).toEqual([]);
	await rig.stop();
});

/** One request to the door of a server that may die; the body of a 200, else nothing. */
async function requestFrom(home: string, path: string, call?: { requestId: string; body: string }) {
	const request: DoorRequest = call
		? { path, body: call.body, headers: hookHeaders(call.requestId) }
		: { method: 'GET', path };
	try {
		const { status, location, body } = await askDoor(join(home, 'bridge.sock'), request);
		return { location, body: status === 200 ? body : '' };
	} catch {
		return { location: undefined, body: '' };
	}
}

/** Homes side by side: a server that starts leaves the other processor idle. */
const LANES = 2;
const MOMENTS = ['before', 'during', 'after'] as const;

/** What became of decisions that a server's death met. */
interface Met {
	decisions: number;
	/** Ids of the approvals whose row is there. */
	written: number;
	/** Calls that were told to go on, and those of them without a row. */
	allowed: number;
	unproven: string[];
	/** Starts that the timeline tells. */
	started: number;
}

/** Kills a server again and again in one home, at the `nth` decision of every tenth time ten, else one, on their way. */
async function killAgainAndAgain(kills: readonly number[], seed: number): Promise<Met> {
	const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const answered: { id: string; decision: unknown }[] = [];
	for (const kill of kills) {
		const inFlight = kill % 10 === 0 ? 10 : 1;
		const nth = inFlight === 1 ? 1 : 1 + ((seed + kill / 10) % inFlight);
		const { child, line } = await startServer(home, `die:${nth}:${MOMENTS[(seed + kill) % MOMENTS.length]}`);
		const pending = Array.from({ length: inFlight }, async (_, index) => {
			const call = JSON.stringify(deniedCall(project, `toolu_${kill}_${index}`));
			const requestId = `run-${kill}-${index}`;
			const { location = '' } = await requestFrom(home, '/hooks/claude-code', { requestId, body: call });
			const { body } = await requestFrom(home, location);
			const decision = body === '' ? undefined : decisionIn(body).decision;
			answered.push({ id: location.replace('/tickets/', ''), decision });
		});
		const ids: string[] = [];
		for (let position = 0; position < inFlight; position += 1) ids.push((await line()).replace('waiting ', ''));
		const gone = once(child, 'exit');
		child.stdin?.write(ids.map((id) => `approve ${id}\n`).join(''));
		await Promise.all([...pending, gone]);
		servers.splice(servers.indexOf(child), 1);
	}
	const journal = await openSqliteJournal(join(home, 'journal.db'));
	const isApproved = ({ id }: { id: string }) =>
		journal.bySubject(id).some(({ kind, payload }) => kind === 'approval:resolve' && payload.decision === 'approve');
	const allowed = answered.filter(({ decision }) => decision === 'allow');
	const met = {
		decisions: answered.length,
		written: answered.filter(isApproved).length,
		allowed: allowed.length,
		unproven: allowed.filter((one) => !isApproved(one)).map(({ id }) => id),
		started: readFileSync(join(home, 'sessions/s1/timeline.jsonl'), 'utf8').split('"agent:delegate"').length - 1,
	};
	await journal.close();
	return met;
}

test('A4: killed before, while and after a decision is written, nothing is let through without its row', async () => {
	const { numRuns: kills, seed } = soakRuns('A4', 6, 1000);
	const all = Array.from({ length: kills }, (_, kill) => kill);
	const lanes = Array.from({ length: LANES }, (_, lane) =>
		all.filter((kill) => (kill + Math.floor(kill / 10)) % LANES === lane),
	);
	const met = await Promise.all(lanes.map((lane) => killAgainAndAgain(lane, seed)));
	const sum = (of: (each: Met) => number) => met.reduce((total, each) => total + of(each), 0);
	soakCounts('A4', {
		kills,
		decisions: sum(({ decisions }) => decisions),
		written: sum(({ written }) => written),
		'let through': sum(({ allowed }) => allowed),
		'without a row': sum(({ unproven }) => unproven.length),
	});
	expect(sum(({ decisions }) => decisions)).toBe(kills + 9 * Math.ceil(kills / 10));
	expect(met.flatMap(({ unproven }) => unproven)).toEqual([]);
	for (const { started, written } of met) expect(started).toBeLessThanOrEqual(written);
}, 3_600_000);

test('R603 killed between the row of a grant’s use and the answer: the denial is printed, and no second try gets it', async () => {
	const { home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'signalbox-death-')));
	const before = await startService({ home, forcedHoldSeconds: 0 });
	await before.post(deniedCall(project, 'toolu_0'));
	const call = { sessionId: 's1', toolUseId: 'toolu_0' };
	const grant = await before.grants.create(await before.denied(call), { scope: 'once', reason: 'needed' }, operator);
	await before.stop();

	const { child, line } = await startServer(home, 'stall');
	const { printed } = startHook(home, deniedCall(project, 'toolu_1'));
	// The hook has its denial and polls; the row is written, but not its answer.
	expect([await line(), await line()].sort()).toEqual(['used', expect.stringMatching(/^waiting /)]);
	child.kill('SIGKILL');
	expect(decisionIn((await printed).stdout).decision).toBe('deny');

	const after = await startService({ home, forcedHoldSeconds: 0 });
	expect(after.grants.list('used', 10)).toMatchObject([{ id: grant.id, uses: 1, lastUse: { toolUseId: 'toolu_1' } }]);
	expect(after.grants.list('active', 10)).toEqual([]);
	expect(decisionIn((await after.post(deniedCall(project, 'toolu_2'))).body).decision).toBe('deny');
	const effects = after.timeline().filter(({ type }) => type === 'grant:use' || type === 'agent:delegate');
	expect(effects).toMatchObject([{ type: 'grant:use', toolUseId: 'toolu_1' }]);
	await after.stop();
});
