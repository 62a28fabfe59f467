import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { piRow } from '#lib/agents/agent-table.ts';
import type { SetupEntry } from '../agent-setup.ts';
import { pluginText } from './setup.ts';

type Handle = (event: unknown, context: unknown) => Promise<unknown>;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'plugin-'));
	writeFileSync(join(folder, 'answer'), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

const context = { cwd: '/shop', sessionManager: { getSessionId: () => 's', getSessionFile: () => '/s.jsonl' } };

/** Loads the extension as the client does, with a hook that records its input and prints `answer`. */
async function load(
	command = `cat >> ${folder}/told; echo >> ${folder}/told; cat ${folder}/answer`,
	more: Partial<SetupEntry> = {},
) {
	const file = join(folder, 'signalbox.mjs');
	const entries = Object.values(piRow.events).map((event) => ({ event, command, seconds: 10, ...more }));
	writeFileSync(file, pluginText(entries));
	const handles = new Map<string, Handle>();
	const { default: extend } = (await import(pathToFileURL(file).href)) as { default(pi: object): void };
	extend({ on: (event: string, handle: Handle) => handles.set(event, handle) });
	return (event: string, fields: object = {}) => handles.get(event)?.(fields, context);
}
const bash = (command: string) => ({ toolName: 'bash', toolCallId: 'c1', input: { command } });

it('the extension of pi hands on what happens, in shared names', async () => {
	const say = await load();
	await say('session_start', { reason: 'startup' });
	await say('before_agent_start', { prompt: 'Go on.' });
	await say('tool_call', bash('ls'));
	await say('tool_result', { ...bash('ls'), content: [{ type: 'text', text: 'a.ts' }], isError: false });
	await say('tool_result', { ...bash('rm'), content: [{ type: 'text', text: 'no' }], isError: true });
	await say('agent_end', { messages: [] });
	await say('session_shutdown', { reason: 'quit' });
	const recorded = readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');
	const call = { tool_name: 'bash', tool_use_id: 'c1' };
	expect(recorded.map((line) => JSON.parse(line) as object)).toMatchObject([
		{ hook_event_name: 'session_start', session_id: 's', cwd: '/shop', source: 'startup' },
		{ hook_event_name: 'before_agent_start', prompt: 'Go on.' },
		{ hook_event_name: 'tool_call', ...call, tool_input: { command: 'ls' } },
		{ hook_event_name: 'tool_result', ...call, tool_response: 'a.ts' },
		{ hook_event_name: 'tool_error', ...call, error: 'no' },
		{ hook_event_name: 'agent_end' },
		{ hook_event_name: 'session_shutdown', reason: 'quit' },
	]);
});

it('it blocks a call with the reason, changes an input in the client’s own object, and hands context on', async () => {
	const say = await load();
	const answer = (value: object) => writeFileSync(join(folder, 'answer'), JSON.stringify(value));
	answer({ decision: 'deny', reason: 'not here' });
	expect(await say('tool_call', bash('rm'))).toEqual({ block: true, reason: 'not here' });
	answer({ args: { command: 'ls' } });
	const call = { ...bash('rm'), input: { command: 'rm', timeout: 1 } };
	expect(await say('tool_call', call)).toBeUndefined();
	expect(call.input).toEqual({ command: 'ls' });
	answer({ context: 'Read this.' });
	expect(await say('before_agent_start', { prompt: 'x' })).toMatchObject({ message: { content: 'Read this.' } });
});

it.each([
	['breaks down', 'exit 3'],
	['is killed', 'kill -9 $$'],
	['says what is no answer', 'cat > /dev/null; echo hello'],
])('if the hook %s, or an event has changed its shape, the client continues', async (_, command) => {
	const say = await load(command);
	expect(await say('tool_call', bash('ls'))).toBeUndefined();
	expect(await say('tool_result', {})).toBeUndefined();
	expect(await say('agent_end')).toBeUndefined();
});

it.each([
	['breaks down', 'exit 3'],
	['breaks down after its pass', 'echo {}; exit 3'],
	['is killed', 'kill -9 $$'],
	['says what is no answer', 'cat > /dev/null; echo hello'],
])('where a fail-closed hook %s, or an event is not as it was, the call is denied', async (_, command) => {
	const say = await load(command, { isClosed: true });
	expect(await say('tool_call', bash('ls'))).toMatchObject({
		block: true,
		reason: expect.stringContaining('Signalbox'),
	});
	await expect(say('tool_call', null as never)).rejects.toThrow();
});

it('the silence of a fail-closed hook is a pass', async () => {
	const say = await load('cat > /dev/null', { isClosed: true });
	expect(await say('tool_call', bash('ls'))).toBeUndefined();
});

it('a fail-closed hook that never ends is given up with a denial, though what it has started lives on', async () => {
	// It gets five seconds more than its own.
	const say = await load('sleep 5 & wait', { isClosed: true, seconds: -4.9 });
	expect(await say('tool_call', bash('ls'))).toMatchObject({ block: true });
});
