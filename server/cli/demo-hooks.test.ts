import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { recordedEvents } from '#hooks-bridge/testing/recorded-events.ts';
import type { TicketPort } from '../approvals/ticket-port.ts';
import { createDoor } from '../door/door.ts';
import { ticketsOf } from '../door/exchange.ts';
import { createLog } from '../process/log.ts';
import { demoFile, playSteps, readSteps } from './demo-hooks.ts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'sbx-play-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const allow = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };
const nobody: TicketPort = {
	open: () => Promise.resolve(null),
	openReview: () => Promise.resolve(null),
	closeReview: () => Promise.resolve({ kind: 'unknown' }),
	find: () => undefined,
	wait: () => Promise.resolve({ kind: 'unknown' }),
};
const approver: TicketPort = {
	...nobody,
	open: () => Promise.resolve({ id: 'ticket-1' }),
	wait: () => Promise.resolve({ kind: 'answer', output: allow }),
};

/** Plays the shipped recording at full speed and gives the session's events. */
async function playTo(
	service: TicketPort,
	signal = new AbortController().signal,
	onFork: (branch: 'denied' | 'approved' | undefined) => void = () => undefined,
): Promise<Record<string, unknown>[]> {
	const ports = createNodePorts({ home: folder });
	const door = createDoor({
		socketPath: doorPath(folder),
		ports,
		respond,
		tickets: ticketsOf(service),
		log: createLog(() => undefined),
	});
	await door.listen();
	const steps = readSteps(readFileSync(demoFile('session.jsonl'), 'utf8'), folder);
	try {
		await playSteps({ steps, door: doorPath(folder), project: join(folder, 'shop'), speed: 1e6, signal, onFork });
	} finally {
		await door.close();
		ports.close();
	}
	const sessions = readdirSync(join(folder, 'sessions'));
	expect(sessions).toHaveLength(1);
	return recordedEvents(folder, sessions[0]);
}

const agentsOf = (events: Record<string, unknown>[], type: string) =>
	events.filter((event) => event.type === type).map(({ agent }) => agent);

test('the recording plays through the door: one call denied, tests red and green, the session ended', async () => {
	const events = await playTo(nobody);
	expect(agentsOf(events, 'agent:start').sort()).toEqual(['developer', 'planner', 'reviewer', 'tester']);
	expect(events.filter(({ type }) => type === 'routing:mismatch')).toMatchObject([{ actual: 'architect' }]);
	expect(events.filter(({ type }) => type === 'tool:error')).toHaveLength(1);
	expect(events.filter(({ type }) => type === 'system:warning')).toEqual([]);
	expect(events.at(-1)).toMatchObject({ type: 'session:end' });
});

test('approved by a person, the recorded architect runs in the demo too', async () => {
	const events = await playTo(approver);
	expect(agentsOf(events, 'agent:start')).toContain('architect');
	expect(events.at(-1)).toMatchObject({ type: 'session:end' });
});

test('interrupted while its call waits for a person, the demo ends at once and reports no decision', async () => {
	const stop = new AbortController();
	const recorded: unknown[] = [];
	const silent: TicketPort = {
		...approver,
		wait: () => {
			stop.abort();
			return new Promise(() => undefined);
		},
	};
	await expect(playTo(silent, stop.signal, (branch) => recorded.push(branch))).rejects.toMatchObject({
		name: 'AbortError',
	});
	expect(recorded).toEqual([undefined]);
});

test('the shipped recording names no machine but the one in the story', () => {
	const text = readFileSync(demoFile('session.jsonl'), 'utf8');
	for (const [path] of text.matchAll(/(?<![\w.<-])\/(?:home|root|tmp|work|usr|Users)\/[\w.-]+/g)) {
		expect(path).toMatch(/^\/home\/dev$|^\/tmp\/claude-1000$/);
	}
});
