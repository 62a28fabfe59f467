import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { outcomeLook } from '#lib/session/call.ts';
import { createLog } from '../../process/log.ts';
import { createTimelineRig } from '../../testing/timeline-rig.ts';
import { createUsageSources } from './session-transcripts.ts';
import { createUsageTracker } from './usage-tracker.ts';

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'aborts-'));
	vi.stubEnv('COPILOT_HOME', join(root, 'copilot'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(root, { recursive: true });
});

/** As the real client of 1.0.102 wrote it when its person pressed Esc twice. */
const abortLine = (id: string, at: Date) =>
	`${JSON.stringify({ type: 'abort', data: { reason: 'user_abort' }, id, timestamp: at.toISOString(), parentId: 'p' })}\n`;

/** A session of Copilot CLI at work, of which no hook has named the transcript. */
async function startWork() {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const transcript = join(root, 'copilot/session-state/s-1/events.jsonl');
	mkdirSync(dirname(transcript), { recursive: true });
	writeFileSync(transcript, '{"type":"session.start"}\n');
	const run = await timelines.start();
	const ports = createNodePorts({ home: timelines.home, onAppend: (id) => run.tail.noteAppended(id) });
	const log = createLog(() => undefined);
	const options = { tail: run.tail, index: run.index, ports, log, sources: createUsageSources(), settleMs: 60_000 };
	const tracker = createUsageTracker({ ...options, watchMs: 10 });
	tracker.start();
	let n = 0;
	const hook = (fields: object) => {
		n += 1;
		const input = { sessionId: 's-1', cwd: '/shop', timestamp: n, ...fields };
		respond(JSON.stringify(input), { agent: 'copilot', requestId: `run-${n}`, profile: 'open' }, ports);
	};
	hook({ prompt: 'Go on.' });
	hook({ toolName: 'bash', toolArgs: { command: 'sleep 40' } });
	await tracker.whenSettled();
	const stop = async () => {
		await tracker.stop();
		await run.stop();
		ports.close();
	};
	const aborts = () =>
		run.events('s-1').filter((event) => event.type === 'hook:event' && 'name' in event && event.name === 'abort');
	return { tracker, hook, transcript, stop, aborts, view: () => run.tail.viewOf('s-1') };
}

test('a stop that only the transcript reports ends the turn with its calls, once', async () => {
	const { tracker, transcript, stop, aborts, view } = await startWork();
	expect(view()).toMatchObject({ turn: 'running', calls: [{ tool: 'bash' }] });
	appendFileSync(transcript, abortLine('a', new Date(Date.now() + 1000)));
	await vi.waitFor(() => expect(view()?.turn).toBe('idle'), { timeout: 30_000 });
	expect(view()?.calls.map(({ closed }) => closed?.why)).toEqual(['turn-ended']);
	appendFileSync(transcript, abortLine('a', new Date(Date.now() + 2000)));
	await tracker.whenSettled();
	expect(aborts()).toHaveLength(1);
	await stop();
});

test('a stop followed by events of the agent ends nothing', async () => {
	const { tracker, hook, transcript, stop, aborts, view } = await startWork();
	appendFileSync(transcript, abortLine('a', new Date(Date.now() - 60_000)));
	hook({ prompt: 'And now this.' });
	await tracker.whenSettled();
	expect([view()?.turn, aborts()]).toEqual(['running', []]);
	await stop();
});

/** As the real client of 2.1.330 wrote it at a SIGINT in the middle of a Bash call. */
const stopLine = (toolUseId: string) =>
	`${JSON.stringify({
		type: 'user',
		message: {
			role: 'user',
			content: [
				{ type: 'tool_result', content: "The user doesn't want to proceed", is_error: true, tool_use_id: toolUseId },
			],
		},
		uuid: 'e26034b7-7117-4c32-9209-1f332bebff36',
		timestamp: new Date().toISOString(),
		toolUseResult: 'User rejected tool use',
		toolDenialKind: 'user-rejected',
		sessionId: 's-2',
	})}\n`;

test('a call that a person stopped is known as such by the transcript, also after the end of the session', async () => {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const transcript = join(root, 'claude/projects/shop/s-2.jsonl');
	mkdirSync(dirname(transcript), { recursive: true });
	writeFileSync(transcript, '');
	const run = await timelines.start();
	const ports = createNodePorts({ home: timelines.home, onAppend: (id) => run.tail.noteAppended(id) });
	const options = {
		tail: run.tail,
		index: run.index,
		ports,
		log: createLog(() => undefined),
		sources: createUsageSources(),
	};
	const tracker = createUsageTracker({ ...options, delayMs: 60_000 });
	tracker.start();
	let n = 0;
	const hook = (hook_event_name: string, fields: object) => {
		n += 1;
		const input = { session_id: 's-2', cwd: '/shop', transcript_path: transcript, hook_event_name, ...fields };
		respond(JSON.stringify(input), { requestId: `run-${n}`, profile: 'open' }, ports);
	};
	const bash = (tool_use_id: string) => ({ tool_name: 'Bash', tool_use_id, tool_input: { command: 'tail -f x' } });
	hook('UserPromptSubmit', { prompt: 'Go.' });
	for (const id of ['t-ran', 't-stopped', 't-open']) hook('PreToolUse', bash(id));
	hook('PostToolUse', { ...bash('t-ran'), tool_response: {} });
	hook('SessionEnd', { reason: 'other' });
	appendFileSync(transcript, ['t-ran', 't-stopped', 't-nobody', 't-stopped'].map(stopLine).join(''));
	await tracker.whenSettled();
	const calls = run.tail.viewOf('s-2')?.calls ?? [];
	expect(Object.fromEntries(calls.map((call) => [call.toolUseId, outcomeLook(call).word]))).toEqual({
		't-ran': 'ran',
		't-stopped': 'stopped by a person',
		't-open': 'outcome unknown',
	});
	await tracker.stop();
	await run.stop();
	ports.close();
});
