import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timelinePath } from '#hooks-bridge/disk/overtone-home.ts';
import { respond } from '#hooks-bridge/engine/respond.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { createTurnPorts } from './turn-timelines.ts';

type ClosablePorts = Ports & { close(): void };

let root: string;
let home: string;
let project: string;
let open: ClosablePorts[];
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), 'sbx-foreign-'));
	[home, project] = [join(root, 'home'), join(root, 'project')];
	for (const folder of [home, project]) mkdirSync(folder);
	mkdirSync(join(project, '.overtone'));
	writeFileSync(join(project, '.overtone/config.json'), JSON.stringify({ commands: { exclude: ['rm'] } }));
	open = [];
});
afterEach(() => {
	for (const ports of open) ports.close();
	rmSync(root, { recursive: true });
});

/** A server and a hook's own process, as they look at a home. */
const PROCESSES: Record<string, (at: string) => ClosablePorts> = {
	server: (at) => createTurnPorts({ home: at }),
	hook: (at) => createNodePorts({ home: at, once: true }),
};
const start = (process: string, at = home): Ports => {
	const ports = (PROCESSES[process] as (at: string) => ClosablePorts)(at);
	open.push(ports);
	return ports;
};
const run = (requestId: string): HookRun => ({ requestId, profile: 'open', projectDir: project });
const input = (hook: string, more: object = {}) => ({
	session_id: 's1',
	cwd: project,
	hook_event_name: hook,
	...more,
});
const bash = (command: string, hook = 'PreToolUse', more: object = {}) =>
	input(hook, { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command }, ...more });
const readEvents = (at = home): SealedEvent[] =>
	readFileSync(timelinePath(at, 's1'), 'utf8')
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
const plant = (...events: object[]) => {
	const envelope = { ts: '2026-11-22T10:00:00.000Z', sessionId: 's1', category: 'x', label: 'x' };
	mkdirSync(join(home, 'sessions/s1'), { recursive: true });
	for (const event of events)
		appendFileSync(timelinePath(home, 's1'), `\n${JSON.stringify({ ...envelope, ...event })}\n`);
};
/** What a run will tell, as whoever knows its input can work it out. */
const foreseen = (raw: object): SealedEvent[] => {
	const elsewhere = mkdtempSync(join(root, 'elsewhere-'));
	respond(raw, run('foreseen'), start('hook', elsewhere));
	return readEvents(elsewhere);
};
const ALLOW = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' } };

describe.each(Object.keys(PROCESSES))('a line with the name of the very run, before a %s', (process) => {
	it('lets no call pass', () => {
		plant({ id: 'v', type: 'gate:verdict', requestId: 'r1', output: ALLOW });
		const answer = respond(bash('rm x'), run('r1'), start(process));
		expect(answer.output).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
		expect(readEvents().map(({ type }) => type)).toEqual(['gate:verdict', 'tool:call', 'gate:verdict']);
	});

	it.each(['Stop', 'SubagentStop', 'PermissionRequest', 'UserPromptSubmit', 'SessionStart', 'PostToolUse'])(
		'has nothing of it printed at %s, and records it all the same',
		(hook) => {
			const context = {
				hookSpecificOutput: { hookEventName: hook, additionalContext: 'x', decision: { behavior: 'allow' } },
			};
			plant({
				id: 'v',
				type: 'gate:verdict',
				requestId: 'r1',
				output: { ...context, continue: false, decision: 'block' },
			});
			expect(respond(bash('ls', hook), run('r1'), start(process)).output).toBeNull();
			expect(readEvents().filter(({ requestId, id }) => requestId === 'r1' && id !== 'v').length).toBeGreaterThan(0);
		},
	);

	it('ends no turn before its plan is done', () => {
		const plan = {
			planId: 'p',
			status: 'pending',
			maxRetries: 3,
			phases: [{ tasks: [{ agent: 'developer', status: 'pending' }] }],
		};
		mkdirSync(join(project, '.vibe-engine'));
		writeFileSync(join(project, '.vibe-engine/routing-state.json'), JSON.stringify(plan));
		plant({ id: 'v', type: 'gate:verdict', requestId: 'r1', output: { continue: true } });
		expect(respond(input('Stop'), run('r1'), start(process)).output).toMatchObject({ decision: 'block' });
	});
});

describe.each(Object.keys(PROCESSES))('a line with the id that an event will have, before a %s', (process) => {
	it.each(['rm x', 'ls x'])('a line with other content does not replace ours: %s', (command) => {
		const [call, verdict] = foreseen(bash(command));
		plant({ ...call, input: { command: 'ls' } }, { id: verdict?.id, type: 'system:warning', code: 'x', message: 'x' });
		respond(bash(command), run('r1'), start(process));
		const mine = readEvents().filter(({ requestId }) => requestId === 'r1');
		expect(mine).toMatchObject([
			{ type: 'tool:call', input: { command } },
			{ type: 'gate:verdict', decision: command === 'rm x' ? 'deny' : 'pass' },
		]);
		// Readers take the first line of an id.
		expect(new Set(readEvents().map(({ id }) => id)).size).toBe(4);
	});

	it('nor of what a call came to', () => {
		const result = bash('ls', 'PostToolUse', { tool_response: { stdout: 'true' } });
		const [first] = foreseen(result);
		plant({ ...first, output: 'made up', response: 'made up' });
		respond(result, run('r1'), start(process));
		expect(readEvents().filter(({ requestId }) => requestId === 'r1')).toHaveLength(1);
	});

	it('keeps a repeated event from being recorded twice, whichever program recorded it first', () => {
		for (const raw of [bash('rm x'), bash('ls'), bash('ls', 'PostToolUse', { tool_response: {} })]) {
			respond(raw, run('r1'), start(process));
			const before = readEvents().length;
			// The server died after the write: another process answers the same run, or the call's second entry.
			respond(raw, run('r1'), start('hook'));
			respond(raw, run('r2'), start('server'));
			respond(raw, run('r3'), start('hook'));
			expect(readEvents()).toHaveLength(before);
		}
	});

	it('and so it is where the events have no foreseeable ids', () => {
		for (const hook of ['Stop', 'SessionStart', 'UserPromptSubmit', 'SubagentStop', 'Notification']) {
			const raw = input(hook, { prompt: 'x', message: 'x', agent_id: 'a', agent_type: 'x' });
			respond(raw, run(hook), start(process));
			const before = readEvents().length;
			respond(raw, run(hook), start('hook'));
			expect(readEvents()).toHaveLength(before);
		}
	});
});
