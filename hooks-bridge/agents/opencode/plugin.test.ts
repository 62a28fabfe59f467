import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { opencodeRow } from '#lib/agents/agent-table.ts';
import type { SetupEntry } from '../agent-setup.ts';
import { transcripts } from './opencode.ts';
import { pluginText } from './setup.ts';

type Hook = (input: unknown, output?: unknown) => Promise<void>;

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'plugin-'));
});
afterEach(() => {
	vi.unstubAllEnvs();
	rmSync(folder, { recursive: true });
});

const replies: unknown[] = [];
/** Loads the plugin as the client does, with a hook that records its input and prints `answer`. */
async function load(
	name: string,
	command = `cat >> ${folder}/told; echo >> ${folder}/told; cat ${folder}/answer`,
	more: Partial<SetupEntry> = {},
) {
	const file = join(folder, `${name}.mjs`);
	const entries = Object.values(opencodeRow.events).map((event) => ({ event, command, seconds: 10, ...more }));
	writeFileSync(file, pluginText(entries));
	const { Signalbox } = (await import(pathToFileURL(file).href)) as {
		Signalbox(context: unknown): Promise<Record<string, Hook>>;
	};
	const client = { postSessionIdPermissionsPermissionId: async (reply: unknown) => void replies.push(reply) };
	const hooks = await Signalbox({ client, directory: '/shop' });
	return (hook: string, input: unknown, output?: unknown) => (hooks[hook] as Hook)(input, output);
}
const answer = (value: object) => writeFileSync(join(folder, 'answer'), JSON.stringify(value));
const recorded = () =>
	readFileSync(join(folder, 'told'), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as Record<string, unknown>);

it('the plugin of OpenCode hands on what happens, sub-agents under their session, one after the other', async () => {
	answer({});
	const lines: string[] = [];
	const calls = readFileSync(new URL('../../../e2e/fixtures/opencode-plugin-calls.jsonl', import.meta.url), 'utf8')
		.trim()
		.split('\n')
		.map((line) => JSON.parse(line) as { run: string; registered: string; input: Record<string, unknown> });
	for (const run of new Set(calls.map((call) => call.run))) {
		writeFileSync(join(folder, 'told'), '');
		const call = await load(run);
		for (const { registered, input } of calls.filter((one) => one.run === run)) {
			if (registered.startsWith('event:')) {
				await call('event', { event: { type: registered.slice('event:'.length), properties: input.properties } });
			} else await call(registered, input.input, input.output);
		}
		lines.push(...recorded().map((input) => JSON.stringify({ run, registered: input.hook_event_name, input })));
	}
	await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('../../../e2e/fixtures/opencode-hook-inputs.jsonl');
});

it('a call is denied by an error with the reason, and its input is changed in the client’s own object', async () => {
	const call = await load('call');
	const before = (args: object) => call('tool.execute.before', { tool: 'bash', sessionID: 's', callID: 'c' }, { args });
	answer({ decision: 'deny', reason: 'not here' });
	await expect(before({ command: 'rm' })).rejects.toThrow('not here');
	answer({ args: { command: 'ls' } });
	const args = { command: 'rm', description: 'x' };
	await before(args);
	expect(args).toEqual({ command: 'ls' });
	answer({ reply: 'reject' });
	const request = { id: 'per_1', sessionID: 's', permission: 'bash', metadata: { command: 'rm' } };
	await call('event', { event: { type: 'permission.asked', properties: request } });
	expect(replies).toEqual([{ path: { id: 's', permissionID: 'per_1' }, body: { response: 'reject' } }]);
});

it.each([
	['breaks down', 'exit 3'],
	['is killed', 'kill -9 $$'],
	['says what is no answer', 'cat > /dev/null; echo hello'],
	['says null', 'cat > /dev/null; echo null'],
])('if the hook %s, the client continues', async (name, command) => {
	const call = await load(name.replaceAll(' ', '-'), command);
	const args = { command: 'ls' };
	await call('tool.execute.before', { tool: 'bash', sessionID: 's', callID: 'c' }, { args });
	await call('event', { event: { type: 'session.idle', properties: { sessionID: 's' } } });
	await call('event', { event: { type: 'unheard.of', properties: {} } });
	expect(args).toEqual({ command: 'ls' });
});

it('where a fail-closed hook fails, the plugin denies the call, and its silence is a pass', async () => {
	const before = async (name: string, command: string) => {
		const call = await load(name, command, { isClosed: true });
		return call('tool.execute.before', { tool: 'bash', sessionID: 's', callID: 'c' }, { args: { command: 'ls' } });
	};
	await expect(before('fails', 'exit 3')).rejects.toThrow('this plugin denies what nobody could judge');
	await expect(before('garbage', 'cat > /dev/null; echo hello')).rejects.toThrow('Signalbox');
	await expect(before('silent', 'cat > /dev/null')).resolves.toBeUndefined();
});

it('the plugin notes once what an answer took, for each session, and names the notes; old ones go', async () => {
	vi.stubEnv('XDG_DATA_HOME', folder);
	const notes = join(folder, 'opencode/signalbox');
	mkdirSync(notes, { recursive: true });
	writeFileSync(join(notes, 'ses_old.jsonl'), '');
	utimesSync(join(notes, 'ses_old.jsonl'), 0, 0);
	answer({});
	const call = await load('noting');
	const emit = (type: string, properties: object) => call('event', { event: { type, properties } });
	const tokens = { input: 1000, output: 20, reasoning: 5, cache: { read: 300, write: 0 } };
	const done = {
		id: 'msg_1',
		role: 'assistant',
		sessionID: 'ses_1',
		modelID: 'gpt',
		tokens,
		time: { completed: 1000 },
	};
	await emit('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } });
	await emit('message.updated', { info: { ...done, time: {} } });
	await emit('message.updated', { info: done });
	await emit('message.updated', { info: done });
	await emit('message.updated', { info: { ...done, id: 'msg_2', sessionID: 'ses_2' } });
	await emit('message.updated', { info: { ...done, id: 'msg_3', sessionID: '../../up' } });
	await emit('message.updated', { info: { id: 'msg_4', role: 'user', sessionID: 'ses_1' } });
	await emit('session.idle', { sessionID: 'ses_1' });
	const path = join(notes, 'ses_1.jsonl');
	expect(recorded().at(-1)).toMatchObject({ hook_event_name: 'session.idle', transcript_path: path });
	expect(readdirSync(notes).sort()).toEqual(['ses_1.jsonl', 'ses_2.jsonl']);
	const [line = '', ...more] = readFileSync(path, 'utf8').trim().split('\n');
	expect(more).toEqual([]);
	const files = transcripts.folderOf(path, 'ses_1');
	expect(files).toEqual({ root: notes, main: path, agents: { folder: notes, isShared: true } });
	expect(transcripts.folderOf(path, 'ses_2')).toBeNull();
	expect(transcripts.readAnswer(line)?.answer).toMatchObject({
		...{ messageId: 'msg_1', model: 'gpt', at: '1970-01-01T00:00:01.000Z' },
		...{ inputTokens: 1000, outputTokens: 25, cacheReadTokens: 300 },
	});
});
