import {
	appendFileSync,
	linkSync,
	mkdirSync,
	mkdtempSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import { createLog } from '../../process/log.ts';
import { createTimelineRig } from '../../testing/timeline-rig.ts';
import { createUsageSources } from './session-transcripts.ts';
import { createUsageTracker } from './usage-tracker.ts';

const SESSION = 'session-1';
let root: string;
let transcript: string;
let rig: Awaited<ReturnType<typeof open>>;

beforeEach(async () => {
	root = mkdtempSync(join(tmpdir(), 'signalbox-usage-'));
	transcript = join(root, 'claude/projects/-shop', `${SESSION}.jsonl`);
	mkdirSync(dirname(transcript), { recursive: true });
	rig = await open();
});
afterEach(async () => {
	await rig.close();
	rmSync(root, { recursive: true, force: true });
});

/** A tail, hooks and a usage tracker over one home, as a server has them. */
async function open() {
	const timelines = createTimelineRig(join(root, 'home'));
	mkdirSync(join(root, 'home/sessions'), { recursive: true });
	const run = await timelines.start();
	const logged: string[] = [];
	const log = createLog((line) => logged.push(line));
	const ports = createNodePorts({ home: timelines.home, onAppend: (sessionId) => run.tail.noteAppended(sessionId) });
	const sources = createUsageSources();
	const tracker = createUsageTracker({ tail: run.tail, index: run.index, ports, sources, log, delayMs: 60_000 });
	tracker.start();
	let runs = 0;
	const eventsOf = (sessionId: string, type: string) => run.events(sessionId).filter((event) => event.type === type);
	return {
		...run,
		logged,
		tracker,
		async hook(name: string, fields: Record<string, unknown> = {}) {
			const input = { session_id: SESSION, transcript_path: transcript, cwd: root, hook_event_name: name, ...fields };
			runs += 1;
			respond(input, { requestId: `run-${process.hrtime.bigint()}-${runs}`, profile: 'open' }, ports);
			await tracker.whenSettled();
		},
		append(sessionId: string, fields: object) {
			const line = { id: 'older', ts: new Date().toISOString(), type: 'prompt:submit', category: 'prompt', label: '' };
			ports.append(sessionId, [{ ...line, sessionId, ...fields }]);
		},
		usage: (sessionId = SESSION) => eventsOf(sessionId, 'model:usage') as unknown as Record<string, unknown>[],
		warnings: () => eventsOf(SESSION, 'system:warning').map((event) => 'message' in event && String(event.message)),
		async close() {
			await tracker.stop();
			await run.stop();
			ports.close();
		},
	};
}

async function restart() {
	await rig.close();
	rig = await open();
}

/** A line as Claude Code 2.1.330 writes it for each part of an answer. */
function answer(id: string, extra: Record<string, unknown> = {}, usage: Record<string, unknown> = {}): string {
	const { stop_reason = 'tool_use', model = 'claude-opus-5-5', ...fields } = extra;
	const counts = {
		input_tokens: 100,
		output_tokens: 20,
		cache_creation_input_tokens: 40,
		cache_read_input_tokens: 1000,
	};
	const message = {
		id,
		type: 'message',
		role: 'assistant',
		model,
		stop_reason,
		content: [],
		usage: { ...counts, ...usage },
	};
	const timestamp = '2026-11-22T10:00:00.000Z';
	return `${JSON.stringify({ isSidechain: false, message, type: 'assistant', timestamp, sessionId: SESSION, requestId: `req_${id}`, ...fields })}\n`;
}

const write = (...lines: string[]) => appendFileSync(transcript, lines.join(''));
const tokens = () => rig.tail.viewOf(SESSION)?.usage?.total;

test('each answer of a model is recorded once with its tokens and cost, however many lines mention it', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	write(answer('m1', { stop_reason: null }, { output_tokens: 1 }), '{"type":"user","message":{"role":"user"}}\n');
	write(answer('m1', {}, { output_tokens: 20 }), answer('m1', {}, { output_tokens: 20 }), answer('m2'));
	await rig.hook('PostToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: {}, tool_response: {} });
	await rig.hook('Stop');
	expect(rig.usage()).toMatchObject([
		{ messageId: 'm1', model: 'claude-opus-5-5', inputTokens: 100, outputTokens: 20, source: 'transcript' },
		{ messageId: 'm2', cacheWriteTokens: 40, cacheReadTokens: 1000, at: '2026-11-22T10:00:00.000Z' },
	]);
	// 100 × $4, 20 × $20, 1000 × $0.20 and 40 × $5 a million.
	expect(rig.usage().map(({ costUsd, prices }) => [costUsd, prices])).toEqual([
		[0.0012, '2026-11-22'],
		[0.0012, '2026-11-22'],
	]);
	expect(tokens()).toMatchObject({ answers: 2, inputTokens: 200, outputTokens: 40, unpriced: 0 });
});

test('an answer that is not whole waits for its end, and counts as it is once the session is over', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	write(answer('m1', { stop_reason: null }, { output_tokens: 3 }));
	await rig.hook('Stop');
	expect(rig.usage()).toEqual([]);
	await rig.hook('SessionEnd', { reason: 'other' });
	expect(rig.usage()).toMatchObject([{ messageId: 'm1', outputTokens: 3 }]);
});

test('a restarted server continues at the position in the timeline, and counts nothing twice', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	write(answer('m1'));
	await rig.hook('Stop');
	write(answer('m2'));
	await restart();
	await rig.tracker.whenSettled();
	expect(rig.usage().map(({ messageId }) => messageId)).toEqual(['m1', 'm2']);
	// Even with every line read again: of a transcript that was written again.
	const whole = answer('m0') + answer('m1') + answer('m2');
	rmSync(transcript);
	write(whole, answer('m3').slice(0, 100));
	await rig.hook('Stop');
	write(answer('m3').slice(100));
	await rig.hook('Stop');
	expect(rig.usage().map(({ messageId }) => messageId)).toEqual(['m1', 'm2', 'm0', 'm3']);
	expect(tokens()?.answers).toBe(4);
});

test('a session that was known before its transcript is read from its next turn on', async () => {
	rig.append(SESSION, { prompt: 'an older version told this', source: 'user' });
	write(answer('m1'));
	await rig.hook('PostToolUse', { tool_name: 'Bash', tool_use_id: 't1', tool_input: {}, tool_response: {} });
	expect(rig.usage()).toEqual([]);
	await rig.hook('Stop', { cwd: undefined });
	expect(rig.usage().map(({ messageId }) => messageId)).toEqual(['m1']);
});

test('lines that a session copied from the one it continues are not its own', async () => {
	write(answer('old', { requestSessionId: 'session-0' }), answer('older'));
	await rig.hook('SessionStart', { source: 'resume' });
	const timestamp = new Date(Date.now() + 1000).toISOString();
	write(answer('own', { timestamp }), answer('copied', { timestamp, requestSessionId: 'session-0' }));
	await rig.hook('Stop');
	expect(rig.usage().map(({ messageId }) => messageId)).toEqual(['own']);
});

test('a sub-agent has its own transcript, and what it took is its agent’s and its stage’s', async () => {
	const agents = join(dirname(transcript), SESSION, 'subagents');
	mkdirSync(agents, { recursive: true });
	await rig.hook('SessionStart', { source: 'startup' });
	await rig.hook('SubagentStart', { agent_id: 'a1', agent_type: 'developer' });
	appendFileSync(
		join(agents, 'agent-a1.jsonl'),
		answer('m2', { agentId: 'a1', isSidechain: true, model: 'claude-haiku-4-5-20251001' }),
	);
	appendFileSync(join(agents, 'notes.jsonl'), answer('m3'));
	write(answer('m1'));
	await rig.hook('SubagentStop', { agent_id: 'a1', agent_type: 'developer', last_assistant_message: 'Done.' });
	const { models, agents: byAgent } = rig.tail.viewOf(SESSION)?.usage ?? { models: [], agents: [] };
	expect(models.map(({ name, answers }) => [name, answers])).toEqual([
		['claude-opus-5-5', 1],
		['claude-haiku-4-5-20251001', 1],
	]);
	expect(byAgent.map(({ name, outputTokens }) => [name, outputTokens])).toEqual([
		['', 20],
		['a1', 20],
	]);
});

test('a model without a price has tokens and no cost, and config.json may give it one', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	write(answer('m1', { model: 'somebody-elses' }));
	await rig.hook('Stop');
	expect(rig.usage()[0]).not.toHaveProperty('costUsd');
	expect(tokens()).toMatchObject({ answers: 1, unpriced: 1, costUsd: 0 });
	const prices = {
		'somebody-elses': { input: 10, output: 100, cacheRead: 0, cacheWrite: 0 },
		wrong: { input: 'a lot' },
	};
	writeFileSync(join(root, 'home/config.json'), JSON.stringify({ usage: { prices } }));
	write(answer('m2', { model: 'somebody-elses' }));
	await rig.hook('Stop');
	expect(rig.usage()[1]).toMatchObject({ costUsd: 0.003, prices: '2026-11-22, settings' });
	expect(rig.logged.join('\n')).toContain('usage.prices.wrong.input');
});

test('a file that is no transcript of this session is not read, and that is reported once', async () => {
	const elsewhere = join(root, 'elsewhere.jsonl');
	writeFileSync(elsewhere, answer('m1'));
	const named = async (path: string) => {
		transcript = path;
		await rig.hook('SessionStart', { source: 'startup' });
		await rig.hook('Stop');
		await rig.hook('Stop');
		const warning = rig.warnings().at(-1);
		expect(rig.usage()).toEqual([]);
		return warning;
	};
	const own = transcript;
	await named(join(root, 'claude/projects/-shop/absent.jsonl'));
	expect(rig.warnings()).toEqual([]);
	expect(await named(elsewhere)).toContain('cannot be that of this session');
	symlinkSync(elsewhere, own);
	expect(await named(own)).toContain('a link');
	rmSync(own);
	const outside = join(root, 'outside');
	mkdirSync(outside);
	writeFileSync(join(outside, `${SESSION}.jsonl`), answer('m1'));
	symlinkSync(outside, join(root, 'claude/projects/-linked'));
	expect(await named(join(root, 'claude/projects/-linked', `${SESSION}.jsonl`))).toContain('leads out');
	expect(rig.warnings()).toHaveLength(3);
	expect(rig.logged).toEqual([]);
});

test('torn, huge and hostile lines cost nothing but themselves', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	const huge = 'x'.repeat(1_200_000);
	write(answer('m1'), `{"type":"user","message":"${huge}"}\n`, '{"type":"assistant","message":{"id":"torn\n');
	write(
		answer('m2', { content: huge }),
		`${'['.repeat(100_000)}"assistant"\n`,
		'\u0000\u0000\n',
		'null\n"assistant"\n',
	);
	write(answer('m3', {}, { input_tokens: -5, output_tokens: 1e300, cache_read_input_tokens: '7' }), answer('m4'));
	await rig.hook('Stop');
	expect(rig.usage().map(({ messageId, inputTokens }) => [messageId, inputTokens])).toEqual([
		['m1', 100],
		['m3', 0],
		['m4', 100],
	]);
	expect(rig.warnings()).toEqual(['A line of the transcript is too long; its tokens are not counted']);
	// A file that shrinks, and one that stands in its place, are read from their start.
	writeFileSync(transcript, answer('m5'));
	await rig.hook('Stop');
	writeFileSync(`${transcript}.new`, answer('m6'));
	linkSync(`${transcript}.new`, `${transcript}.other`);
	renameSync(`${transcript}.new`, transcript);
	await rig.hook('Stop');
	expect(rig.usage().map(({ messageId }) => messageId)).toEqual(['m1', 'm3', 'm4', 'm5', 'm6']);
});

test('what was read later is no sign of life, answers no question and is no reason to read again', async () => {
	await rig.hook('SessionStart', { source: 'startup' });
	await rig.hook('PermissionRequest', { tool_name: 'Bash', tool_input: { command: 'ls' } });
	const before = rig.tail.viewOf(SESSION);
	write(answer('m1'));
	await rig.tracker.whenSettled();
	expect(rig.usage()).toEqual([]);
	await rig.hook('Notification', { message: 'waits', notification_type: 'other' });
	const after = rig.tail.viewOf(SESSION);
	expect(rig.usage()).toHaveLength(1);
	expect(after?.prompting).toEqual(before?.prompting);
	expect(after?.lastAt).toBe(
		rig.batches.flatMap(({ events }) => events).findLast(({ type }) => type === 'session:notice')?.ts,
	);
});
