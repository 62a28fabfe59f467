import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { AgentName } from '#lib/agents/agent-table.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';
import { createHookPause } from '../../door/start-door-thread.ts';
import { createLog } from '../../process/log.ts';
import { createTimelineRig } from '../../testing/timeline-rig.ts';
import { createUsageSources } from '../../timeline/usage/session-transcripts.ts';
import { createUsageTracker } from '../../timeline/usage/usage-tracker.ts';
import { createTelemetryService } from './telemetry-service.ts';

let root: string;
let rig: Awaited<ReturnType<typeof open>>;

beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'signalbox-otlp-'));
	rig = await open();
});
afterEach(async () => {
	await rig.close();
	rmSync(root, { recursive: true, force: true });
});

const transcriptOf = (session: string) => join(root, 'claude/projects/-shop', `${session}.jsonl`);

/** A tail with hooks, a usage tracker and a service over one home, as a server has them. */
async function open() {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const run = await timelines.start();
	const node = createNodePorts({ home: timelines.home, onAppend: (sessionId) => run.tail.noteAppended(sessionId) });
	let skewMs = 0;
	const ports = { ...node, now: () => Date.now() + skewMs };
	const sources = createUsageSources();
	const pause = createHookPause(() => performance.now());
	const { tail, index } = run;
	const tracker = createUsageTracker({ tail, index, ports, sources, log: createLog(() => {}), delayMs: 60_000 });
	tracker.start();
	const service = createTelemetryService({ tail, index, ports, sources, pause });
	let runs = 0;
	return {
		...run,
		tracker,
		service,
		wait: (ms: number) => (skewMs += ms),
		async hook(session: string, name: string, fields: Record<string, unknown> = {}, agent: AgentName = 'claude-code') {
			const transcript_path = agent === 'claude-code' ? transcriptOf(session) : undefined;
			const input = { session_id: session, transcript_path, cwd: root, hook_event_name: name, ...fields };
			runs += 1;
			const requestId = `run-${process.hrtime.bigint()}-${runs}`;
			respond(input, { agent, requestId, profile: 'open' }, ports);
			await tail.whenRead();
		},
		async take(...facts: TelemetryFact[]) {
			await service.ingest(facts);
			await tail.whenRead();
		},
		recorded: (session: string, type: string) =>
			run.events(session).filter((event) => event.type === type) as unknown as Record<string, unknown>[],
		usage: (session: string) => tail.viewOf(session)?.usage,
		async close() {
			service.stop();
			await tracker.stop();
			await run.stop();
			node.close();
		},
	};
}

async function restart() {
	await rig.close();
	rig = await open();
}

/** The nth answer of a session, as its client exports it. */
function answer(sessionId: string, n: number, more: Partial<TelemetryFact> = {}): TelemetryFact {
	const counts = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 0, cacheWriteTokens: 0, cacheHourTokens: 0 };
	const says = { kind: 'answer' as const, model: 'claude-opus-5-5', ...counts };
	return { make: 'claude-code', sessionId, at: Date.UTC(2026, 10, 23) + n, nonce: `n${n}`, says, ...more };
}

/** The same, as its client writes it into the transcript. */
const line = (sessionId: string, n: number) => ({
	...{
		type: 'assistant',
		sessionId,
		requestId: `req_${n}`,
		timestamp: new Date(Date.UTC(2026, 10, 23) + n).toISOString(),
	},
	message: {
		...{
			id: `m${n}`,
			type: 'message',
			role: 'assistant',
			model: 'claude-opus-5-5',
			stop_reason: 'tool_use',
			content: [],
		},
		usage: { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
	},
});

function write(session: string, answers: number) {
	mkdirSync(dirname(transcriptOf(session)), { recursive: true });
	const lines = Array.from({ length: answers }, (_, n) => `${JSON.stringify(line(session, n))}\n`);
	writeFileSync(transcriptOf(session), lines.join(''));
}

test('what a client exports of a session becomes its events: tokens with their cost, errors, decisions', async () => {
	await rig.hook('s1', 'SessionStart', { source: 'startup' });
	const call = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'ls' } };
	await rig.hook('s1', 'PreToolUse', call);
	await rig.take(
		answer('s1', 1, { promptId: 'p1' }),
		answer('s1', 2, { says: { kind: 'error', model: 'opus', status: 529, error: 'Overloaded', attempt: 2 } }),
		answer('s1', 3, { toolUseId: 't1', says: { kind: 'decision', tool: 'Bash', decision: 'accept', by: 'config' } }),
	);
	expect(rig.recorded('s1', 'model:usage')).toMatchObject([
		{ model: 'claude-opus-5-5', source: 'telemetry', promptId: 'p1', costUsd: 0.0008, at: '2026-11-23T00:00:00.001Z' },
	]);
	expect(rig.usage('s1')).toMatchObject({ source: 'telemetry', total: { answers: 1, inputTokens: 100 } });
	expect(rig.recorded('s1', 'model:error')).toMatchObject([{ status: 529, error: 'Overloaded', attempt: 2 }]);
	expect(rig.recorded('s1', 'permission:decide')).toMatchObject([
		{ toolUseId: 't1', decision: 'accept', by: 'config' },
	]);
	// Nothing of it is a sign of life, or ends what runs.
	expect(rig.tail.viewOf('s1')?.lastAt).toBe(rig.events('s1').findLast(({ type }) => type === 'tool:call')?.ts);
	expect(rig.tail.viewOf('s1')?.calls).toMatchObject([{ toolUseId: 't1', tool: 'Bash' }]);
	expect(rig.service.counts()).toMatchObject({ told: 3, unjoined: 0, waiting: 0, callless: 0 });
});

test('a repeated export is recorded once, also by a server that was restarted', async () => {
	await rig.hook('s1', 'SessionStart', { source: 'startup' });
	await rig.take(answer('s1', 1), answer('s1', 1), answer('s1', 2));
	await rig.take(answer('s1', 1));
	await restart();
	await rig.take(answer('s1', 2), answer('s1', 3));
	expect(rig.usage('s1')?.total.answers).toBe(3);
});

test('telemetry before the first hook waits for it; telemetry without a session is counted, never recorded', async () => {
	await rig.take(answer('s1', 1), answer('s2', 1), answer('_home', 1));
	expect(rig.service.counts()).toMatchObject({ waiting: 3, told: 0 });
	await rig.hook('s1', 'SessionStart', { source: 'startup' });
	await rig.hook('s1', 'SessionEnd', { reason: 'other' });
	expect(rig.usage('s1')?.total.answers).toBe(1);
	await rig.take(answer('s1', 2));
	expect(rig.usage('s1')?.total.answers).toBe(2);
	rig.wait(15 * 60_000);
	expect(rig.service.counts()).toMatchObject({ waiting: 0, told: 2, unjoined: 2 });
	expect(rig.tail.viewOf('s2')).toBeUndefined();
	await rig.take(...Array.from({ length: 24_000 }, (_, n) => answer(`many-${Math.floor(n / 8000)}`, n)));
	expect(rig.service.counts()).toMatchObject({ waiting: 16_000, unjoined: 8002 });
});

test('a session of another make, and a call that nobody called, are not guessed', async () => {
	await rig.hook('s1', 'SessionStart', { source: 'startup' });
	const decision = { kind: 'decision' as const, tool: 'Bash', decision: 'reject' as const };
	await rig.take(answer('s1', 1, { make: 'codex' }), answer('s1', 2, { toolUseId: 'never', says: decision }));
	expect(rig.service.counts()).toMatchObject({ told: 1, unjoined: 1, callless: 1 });
	expect(rig.recorded('s1', 'permission:decide')[0]).not.toHaveProperty('toolUseId');
	expect(rig.tail.viewOf('s1')?.calls).toEqual([]);
});

test('R1934 if there is a transcript it counts; a client without one has its telemetry’s', async () => {
	await rig.hook('s1', 'SessionStart', { source: 'startup' });
	write('s1', 2);
	await rig.take(answer('s1', 0), answer('s1', 1));
	await rig.tracker.whenSettled();
	expect(rig.usage('s1')).toMatchObject({ total: { answers: 2 } });
	expect(rig.usage('s1')).not.toHaveProperty('source');
	expect(rig.service.counts()).toMatchObject({ inTranscript: 2, told: 0 });
	await rig.hook('g1', 'SessionStart', { source: 'startup' }, 'gemini');
	await rig.take(answer('g1', 1, { make: 'gemini' }));
	expect(rig.usage('g1')).toMatchObject({ source: 'telemetry', total: { answers: 1 } });
});

test('R1934 in any order of the sources and over restarts, every answer is counted once', async () => {
	const steps = ['export', 'export again', 'transcript', 'hook', 'end', 'restart'] as const;
	let nth = 0;
	await fc.assert(
		fc.asyncProperty(fc.shuffledSubarray([...steps, ...steps]), fc.integer({ min: 1, max: 4 }), async (order, most) => {
			nth += 1;
			const session = `any-${nth}`;
			const facts = Array.from({ length: most }, (_, n) => answer(session, n));
			const does: Record<(typeof steps)[number], () => unknown> = {
				export: () => rig.take(...facts),
				'export again': () => rig.take(...facts),
				transcript: () => write(session, most),
				hook: () => rig.hook(session, 'Stop'),
				end: () => rig.hook(session, 'SessionEnd', { reason: 'other' }),
				restart,
			};
			for (const step of order) {
				await does[step]();
				if (step !== 'export') await rig.tracker.whenSettled();
			}
			const sent = order.some((step) => step.startsWith('export'));
			const isCounted = sent || order.includes('transcript');
			// The last words of both, which every client says in the end.
			await rig.hook(session, 'Stop');
			await rig.tracker.whenSettled();
			if (sent) await rig.take(...facts);
			await rig.tracker.whenSettled();
			const tellers = new Set(rig.recorded(session, 'model:usage').map(({ source }) => source));
			expect([...tellers]).toHaveLength(isCounted ? 1 : 0);
			expect(rig.usage(session)?.total.answers ?? 0).toBe(isCounted ? most : 0);
		}),
		{ numRuns: Number(process.env.ORDERS ?? 15), seed: 20_261_123, endOnFailure: true },
	);
});

test('a slow export is not read without end', async () => {
	const many = Array.from({ length: 20_000 }, (_, n) => answer('of-nobody', n));
	const taking = rig.service.ingest(many);
	expect(rig.service.isFull()).toBe(true);
	await taking;
	expect(rig.service.isFull()).toBe(false);
});
