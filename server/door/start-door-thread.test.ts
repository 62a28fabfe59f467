import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import type { TicketOutcome } from '../approvals/ticket-port.ts';
import { createLog } from '../process/log.ts';
import { askDoor } from '../testing/ask-door.ts';
import { createServiceHome, deniedCall, hookHeaders } from '../testing/service-rig.ts';
import type { DoorReport } from './door-port.ts';
import type { DoorTickets } from './exchange.ts';
import { type DoorThread, startDoorThread } from './start-door-thread.ts';

let home = '';
let project = '';
let ends: (() => Promise<void>)[] = [];
const reports: DoorReport[] = [];
const died: Error[] = [];
const unreported: [sessionId: string, lines: number][] = [];

beforeEach(() => {
	({ home, project } = createServiceHome(mkdtempSync(join(tmpdir(), 'door-thread-'))));
	reports.length = 0;
	died.length = 0;
});
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
	vi.unstubAllEnvs();
	ends = [];
});

const noTickets: DoorTickets = {
	hold: async () => null,
	openReview: async () => null,
	closeReview: async () => ({ kind: 'unknown' }),
	wait: async () => ({ kind: 'unknown' }),
};

/** The thread of a home that listens already; `tickets` null: nobody hears it yet. */
async function startThread(tickets: DoorTickets | null = noTickets): Promise<DoorThread> {
	const thread = startDoorThread({ home, log: createLog(() => undefined) });
	ends.push(async () => {
		await thread.close();
		await thread.stop();
	});
	if (tickets) connect(thread, tickets);
	await thread.listen();
	return thread;
}

function connect(thread: DoorThread, tickets: DoorTickets = noTickets, waitMs = 0) {
	const report = (report: DoorReport) => {
		reports.push(report);
		return waitMs;
	};
	const appended = (sessionId: string, lines: number) => void unreported.push([sessionId, lines]);
	thread.connect({ tickets, report, appended, died: (why) => died.push(why) });
}

/** In the place of the thread's program: text of a module, which may import `built`. */
function stubThread(source: (built: string) => string): void {
	const path = join(home, 'thread.mjs');
	const built = pathToFileURL(process.env.SIGNALBOX_BUILT_DOOR_THREAD ?? '').href;
	writeFileSync(path, source(JSON.stringify(built)));
	vi.stubEnv('SIGNALBOX_BUILT_DOOR_THREAD', path);
}

const post = (input: object, headers: Record<string, string>) =>
	askDoor(join(home, 'bridge.sock'), { path: '/hooks/claude-code', body: JSON.stringify(input), headers });

const readCall = (id: string) => ({
	...deniedCall(project, id),
	tool_name: 'Read',
	tool_input: { file_path: 'a.ts' },
});

test('R2550 a hook is answered once its event is on the timeline, before anybody listens; the report waits', async () => {
	const thread = await startThread(null);
	expect(await post(readCall('toolu_1'), hookHeaders('run-1'))).toMatchObject({ status: 200, body: '' });
	expect(await post(readCall('toolu_2'), hookHeaders('run-2'))).toMatchObject({ status: 200 });
	expect(recordedEvents(home, 's1').filter(({ type }) => type === 'tool:call')).toHaveLength(2);
	connect(thread);
	await vi.waitFor(() => expect(reports.flatMap(({ hooks }) => hooks).reduce((sum, count) => sum + count, 0)).toBe(2));
	expect(reports.reduce((sum, { lines }) => sum + (lines.get('s1') ?? 0), 0)).toBe(recordedEvents(home, 's1').length);
});

test('while lines come densely the next report waits as long as they are not read', async () => {
	const thread = await startThread(null);
	connect(thread, noTickets, 60_000);
	await post(readCall('toolu_1'), hookHeaders('run-1'));
	await vi.waitFor(() => expect(reports).toHaveLength(1));
	for (const n of [2, 3, 4]) await post(readCall(`toolu_${n}`), hookHeaders(`run-${n}`));
	expect(reports).toHaveLength(1);
	expect(recordedEvents(home, 's1').filter(({ type }) => type === 'tool:call')).toHaveLength(4);
});

test('a denied call waits for a person at a ticket of the other thread, and gets what that person decided', async () => {
	const held: unknown[] = [];
	let decide: (outcome: TicketOutcome) => void = () => undefined;
	const decided = new Promise<TicketOutcome>((resolve) => {
		decide = resolve;
	});
	await startThread({
		...noTickets,
		hold: async (wanted) => {
			held.push(wanted.held?.denials);
			return { id: 't1', until: '2026-01-01T00:00:00.000Z' };
		},
		wait: () => decided,
	});
	const first = await post(deniedCall(project, 'toolu_1'), hookHeaders('run-1'));
	expect(first).toMatchObject({ status: 303, location: '/tickets/t1' });
	expect(held).toHaveLength(1);
	const waiting = askDoor(join(home, 'bridge.sock'), { method: 'GET', path: '/tickets/t1' });
	decide({ kind: 'answer', output: { ok: true } });
	expect(await waiting).toMatchObject({ status: 200, body: '{"ok":true}' });
});

test('who hangs up ends the wait on the other thread, too; a ticket that fails is a 500', async () => {
	const aborted = vi.fn();
	let hangUp = () => undefined as unknown;
	await startThread({
		...noTickets,
		hold: () => Promise.reject(new Error('no journal')),
		wait: (_id, signal) =>
			new Promise((resolve) => {
				signal.addEventListener('abort', () => {
					aborted();
					resolve({ kind: 'hung-up' });
				});
				hangUp();
			}),
	});
	expect(await post(deniedCall(project, 'toolu_1'), hookHeaders('run-1'))).toMatchObject({ status: 500 });
	const polling = request({ socketPath: join(home, 'bridge.sock'), path: '/tickets/t1' });
	polling.on('error', () => undefined).end();
	hangUp = () => polling.destroy();
	await vi.waitFor(() => expect(aborted).toHaveBeenCalledTimes(1));
});

test('what the server appends by the thread is on disk at once, and is known as our own answer', async () => {
	const thread = await startThread();
	const [ts, sessionId] = ['2026-01-01T00:00:00.000Z', 's1'];
	const verdict = {
		...{ id: 'v1', ts, type: 'gate:verdict', category: 'gate', label: '', sessionId, requestId: 'run-9' },
		...{ answer: { decision: 'deny', reason: 'told before' } },
	};
	await post(readCall('toolu_1'), hookHeaders('run-1'));
	thread.append(sessionId, [verdict]);
	expect(recordedEvents(home, sessionId)).toContainEqual(verdict);
	const repeated = await post(deniedCall(project, 'toolu_9'), hookHeaders('run-9'));
	expect(repeated.body).toContain('told before');
});

test('an append that cannot be written says why', async () => {
	const thread = await startThread();
	const folder = join(home, 'sessions', 's2');
	mkdirSync(join(folder, 'timeline.jsonl'), { recursive: true });
	const event = { id: 'a', ts: '', type: 'x', category: '', label: '', sessionId: 's2' };
	expect(() => thread.append('s2', [event])).toThrow();
});

test('lines are written without the thread, and told to the listener: when it is silent, and after it was stopped', async () => {
	stubThread(() => "import { parentPort } from 'node:worker_threads';\nparentPort.on('message', () => undefined);\n");
	const thread = startDoorThread({ home, log: createLog(() => undefined) });
	connect(thread);
	const event = (id: string) => ({ id, ts: '', type: 'x', category: '', label: '', sessionId: 's1' });
	thread.append('s1', [event('a')]);
	await thread.stop();
	thread.append('s1', [event('b')]);
	expect(recordedEvents(home, 's1').map(({ id }) => id)).toEqual(['a', 'b']);
	expect(unreported).toEqual([
		['s1', 1],
		['s1', 1],
	]);
});

test('R2553 a thread that dies is restarted and reported, and requests that wait are cut', async () => {
	stubThread(
		(built) =>
			`import { BroadcastChannel } from 'node:worker_threads';\nawait import(${built});\nconst channel = new BroadcastChannel('crash');\nchannel.onmessage = () => { throw new Error('broken'); };\n`,
	);
	const aborted = vi.fn();
	await startThread({
		...noTickets,
		wait: (_id, signal) =>
			new Promise(() => {
				signal.addEventListener('abort', aborted);
			}),
	});
	const waiting = askDoor(join(home, 'bridge.sock'), { method: 'GET', path: '/tickets/t1' }).catch(() => 'cut');
	await post(readCall('toolu_1'), hookHeaders('run-1'));
	const crash = new BroadcastChannel('crash');
	crash.postMessage('now');
	expect(await waiting).toBe('cut');
	await vi.waitFor(() => expect(died.map(({ message }) => message)).toEqual(['broken']), { timeout: 10_000 });
	crash.close();
	expect(aborted).toHaveBeenCalledTimes(1);
	await vi.waitFor(
		async () => expect(await post(readCall('toolu_2'), hookHeaders('run-2'))).toMatchObject({ status: 200 }),
		{
			timeout: 10_000,
		},
	);
	expect(recordedEvents(home, 's1').filter(({ type }) => type === 'tool:call')).toHaveLength(2);
});

test('R2370 a full disk under the thread: hooks are answered, it is reported, and their lines are written when there is room', async () => {
	stubThread(
		(built) =>
			`import fs from 'node:fs';\nimport { syncBuiltinESMExports } from 'node:module';\nimport { BroadcastChannel } from 'node:worker_threads';\nlet isFull = false;\nconst channel = new BroadcastChannel('disk');\nchannel.onmessage = ({ data }) => { isFull = data === 'full'; channel.postMessage('heard'); };\nconst write = fs.writeSync;\nfs.writeSync = (...args) => { if (isFull) throw Object.assign(new Error('no space'), { code: 'ENOSPC' }); return write(...args); };\nsyncBuiltinESMExports();\nawait import(${built});\n`,
	);
	await startThread();
	const disk = new BroadcastChannel('disk');
	const become = (state: string) =>
		new Promise((resolve) => {
			disk.onmessage = resolve;
			disk.postMessage(state);
		});
	await post(readCall('toolu_1'), hookHeaders('run-1'));
	await become('full');
	expect(await post(readCall('toolu_2'), hookHeaders('run-2'))).toMatchObject({ status: 200 });
	expect(
		(await post(readCall('toolu_3'), { ...hookHeaders('run-3'), 'x-signalbox-profile': 'closed' })).body,
	).toContain('deny');
	const unwritten = () => reports.flatMap((report) => (report.unwritten ? [report.unwritten] : []));
	await vi.waitFor(() => expect(unwritten().at(-1)?.waiting).toBeGreaterThanOrEqual(2));
	expect(unwritten().at(-1)).toMatchObject({ lost: 0, why: 'ENOSPC' });
	await become('room');
	await vi.waitFor(() => expect(unwritten().at(-1)).toEqual({ waiting: 0, lost: 0, why: undefined }), {
		timeout: 10_000,
	});
	disk.close();
	const calls = recordedEvents(home, 's1').filter(({ type }) => type === 'tool:call');
	expect(calls.map(({ toolUseId }) => toolUseId)).toEqual(['toolu_1', 'toolu_2', 'toolu_3']);
});
