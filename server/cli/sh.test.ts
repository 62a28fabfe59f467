import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { headersOf, runFromHeaders } from '#hooks-bridge/door/hook-run.ts';
import type { HookRun } from '#hooks-bridge/ports/hook-run.ts';
import type { SealedEvent } from '#hooks-bridge/ports/ports.ts';
import { UNAVAILABLE } from '#hooks-bridge/shell/sandbox/sandbox-manager.ts';
import { parseEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '#lib/session/fold.ts';
import { builtChild } from '../testing/built-child.ts';
import { operator, type ServiceRig, startService } from '../testing/service-rig.ts';
import { dispatch } from './dispatch.ts';

let folder: string;
let project: string;
let rig: ServiceRig | undefined;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'sh-')));
	project = join(folder, 'project');
	mkdirSync(join(project, '.overtone'), { recursive: true });
	writeFileSync(join(project, 'package.json'), '{}');
	writeFileSync(join(project, '.overtone/config.json'), JSON.stringify({ commands: { exclude: ['rm', 'task:'] } }));
});
afterEach(async () => {
	await rig?.stop();
	rig = undefined;
	rmSync(folder, { recursive: true, force: true });
});

/** The end of such a process ends no session. */
const asking: HookRun = { requestId: 'r', profile: 'closed', clientPid: 7, beside: true };

const environment = (more: Record<string, string> = {}) => ({
	PATH: process.env.PATH,
	HOME: join(folder, 'home'),
	TMPDIR: join(folder, 'tmp'),
	OVERTONE_HOME: rig?.home ?? join(folder, 'state'),
	...more,
});

async function sh(line: string, args: string[] = ['--session', 's1'], more: Record<string, string> = {}) {
	const out = { stdout: '', stderr: '' };
	const code = await dispatch(['sh', line, ...args], {
		env: environment(more),
		cwd: project,
		print: (text) => {
			out.stdout += `${text}\n`;
		},
		say: (text) => {
			out.stderr += `${text}\n`;
		},
		write: (chunk, name) => {
			out[name] += chunk.toString('utf8');
		},
	});
	return { code, ...out };
}

function timeline(session = 's1'): SealedEvent[] {
	const path = join(environment().OVERTONE_HOME, 'sessions', session, 'timeline.jsonl');
	const events = readFileSync(path, 'utf8')
		.split('\n')
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	for (const event of events) expect(isKnown(parseEvent(event) as never)).toBe(true);
	return events;
}

function folded(events: readonly SealedEvent[]) {
	const rows = new Map<string, Row>();
	let view = emptyView('s1');
	for (const [index, event] of events.entries()) {
		const next = fold(view, { ...event, seq: index + 1 } as unknown as IndexedEvent, (key) => rows.get(key));
		view = next.view;
		for (const row of next.rows) rows.set(row.key, row);
	}
	return { view, rows: [...rows.values()] };
}

test('R545 a command runs, its output comes through, and the timeline has one call for it', async () => {
	const { code, stdout } = await sh('printf "a\\nb"; exit 3');
	expect([code, stdout]).toEqual([3, 'a\nb']);
	expect(await sh('write notes.txt "one\\ntwo"')).toMatchObject({ code: 0 });
	expect(await sh('read notes.txt')).toMatchObject({ code: 0, stdout: '     1\tone\n     2\ttwo\n' });
	const events = timeline();
	expect(events.map(({ type }) => type).filter((type) => type === 'command:run')).toHaveLength(3);
	const { rows, view } = folded(events);
	const calls = rows.filter(({ type }) => type === 'tool:call');
	expect(calls.map(({ title, call }) => [title, call?.evidence])).toEqual([
		['printf "a\\nb"; exit 3', 'failed'],
		['write notes.txt "one\\ntwo"', 'ran'],
		['read notes.txt', 'ran'],
	]);
	expect(view.counters).toMatchObject({ calls: 3, errors: 1, denials: 0 });
});

test('R546 an excluded command is blocked anywhere in a line, runs nothing, and is one denial on the timeline', async () => {
	for (const line of [
		'rm -rf package.json',
		'true; rm package.json',
		'bash rm package.json',
		'task:explore -p x -d y',
	]) {
		expect(await sh(line)).toMatchObject({
			code: 126,
			stdout: '',
			stderr: expect.stringContaining('Command blocked: '),
		});
	}
	expect(existsSync(join(project, 'package.json'))).toBe(true);
	const events = timeline();
	expect(events.filter(({ type }) => type === 'command:block').map(({ pattern }) => pattern)).toEqual([
		...['rm', 'rm', 'rm', 'task:'],
	]);
	const { rows, view } = folded(events);
	expect(view.counters).toMatchObject({ denials: 4, deniedButRan: 0 });
	expect(rows.filter(({ type }) => type === 'tool:call').map(({ call }) => call?.verdicts[0]?.rule)).toEqual(
		Array(4).fill('command.excluded'),
	);
	expect(await sh('write list.txt first true; rm package.json')).toMatchObject({ code: 0 });
});

test('R546 a block waits for a person, who may let it run, change it, or leave it', async () => {
	rig = await startService();
	const decide = async (body: Parameters<ServiceRig['service']['decide']>[1]) => {
		const { approvalId } = await (rig as ServiceRig).next<SealedEvent & { approvalId: string }>('approval:request');
		await rig?.service.decide(approvalId, body, operator);
	};
	writeFileSync(join(project, 'old.txt'), '');
	const [approved] = await Promise.all([
		sh('rm old.txt && echo gone'),
		decide({ decision: 'approve', reason: 'fine' }),
	]);
	expect(approved).toMatchObject({ code: 0, stdout: 'gone\n' });
	const withoutSandbox = `signalbox: ${UNAVAILABLE.run}`;
	expect(approved.stderr.split('\n').filter((line) => line !== withoutSandbox)).toEqual([
		// The service of this test has no server with an address.
		expect.stringMatching(
			/^Command blocked\. It waits for an operator on the Approvals page until \d\d:\d\d:\d\d; Ctrl\+C cancels it\.$/,
		),
		'Approved in Signalbox by an operator: "fine"',
		'',
	]);
	expect(existsSync(join(project, 'old.txt'))).toBe(false);
	const changed = { decision: 'approve', reason: 'safer', updatedInput: { command: 'echo kept' } } as const;
	const [instead] = await Promise.all([sh('rm package.json'), decide(changed)]);
	expect(instead).toMatchObject({ code: 0, stdout: 'kept\n', stderr: expect.stringContaining('instead: echo kept') });
	const [denied] = await Promise.all([sh('rm package.json'), decide({ decision: 'deny', reason: 'keep it' })]);
	expect(denied).toMatchObject({ code: 126, stderr: expect.stringContaining('keep it') });
	expect(existsSync(join(project, 'package.json'))).toBe(true);
	const { rows, view } = folded(timeline());
	expect(view.counters).toMatchObject({ overrides: 2, deniedButRan: 0 });
	expect(rows.flatMap(({ call }) => call?.approval?.state ?? [])).toEqual(['approved', 'approved', 'denied']);
});

test('R546 a grant lets the same line run later, and no other', async () => {
	rig = await startService({ presence: () => 'nobody' });
	for (const line of ['rm -rf old', 'task:explore -p x -d y']) {
		expect((await sh(line)).code).toBe(126);
		const denied = timeline().findLast(({ type }) => type === 'command:block');
		const subject = await rig.denied({ sessionId: 's1', toolUseId: String(denied?.toolUseId) });
		await rig.grants.create(subject, { scope: 'once', reason: 'it is old' }, operator);
		expect((await sh(`${line}er`)).code).toBe(126);
		expect((await sh(line, ['--session', 's1'], { CCC_CLAUDE: '/no/such/agent' })).code).not.toBe(126);
		expect((await sh(line)).code).toBe(126);
	}
});

test('R546 the environment of the caller switches no gate off', async () => {
	rig = await startService({ presence: () => 'nobody' });
	for (const name of ['CCC_SUPERVISOR_HOOK', 'CCC_SUPERVISOR_ID', 'CLAUDE_CONFIG_DIR']) {
		expect((await sh('rm package.json', ['--session', 's1'], { [name]: '1' })).code).toBe(126);
	}
	expect(runFromHeaders(headersOf(asking, {}), '').run).toMatchObject({ beside: true, clientPid: 7 });
	expect(runFromHeaders(headersOf({ ...asking, beside: undefined }, {}), '').run.beside).toBeUndefined();
});

test('todos and warnings are recorded; without a session everything is on _home', async () => {
	const todos = [{ content: 'Test', activeForm: 'Testing', status: 'in_progress' }];
	expect(await sh(`TodoWrite '${JSON.stringify({ todos })}'`, [])).toMatchObject({
		code: 0,
		stdout: 'Todos: 0 completed, 1 in progress, 0 pending.\n',
	});
	const events = timeline('_home');
	expect(events.map(({ type }) => type)).toEqual(['tool:call', 'gate:verdict', 'todo:update', 'command:run']);
	expect(folded(events).view.todos).toEqual([{ content: 'Test', status: 'in_progress' }]);
});

test('where no sandbox can be had, `refuse` runs nothing and is no block; a project may ask for it', async () => {
	writeFileSync(join(project, '.overtone/config.json'), JSON.stringify({ commands: { withoutSandbox: 'refuse' } }));
	mkdirSync(join(folder, 'bin'));
	writeFileSync(join(folder, 'bin/bwrap'), '#!/bin/sh\necho "bwrap: blocked" >&2; exit 1\n', { mode: 0o755 });
	const broken = { PATH: `${join(folder, 'bin')}:${process.env.PATH}` };
	for (const line of ['echo hi', 'bash echo hi', 'echo hi']) {
		const { code, stdout, stderr } = await sh(line, ['--session', 's1'], broken);
		expect([code, stdout]).toEqual([126, '']);
		expect(stderr).toContain('sandbox unavailable');
		expect(stderr).not.toMatch(/block|not allowed|bwrap/i);
	}
	const types = timeline().map(({ type, code }) => code ?? type);
	expect(types.filter((type) => type === 'sandbox/unavailable')).toHaveLength(1);
	expect(types.filter((type) => type === 'command:block')).toHaveLength(0);
	expect(timeline().findLast(({ type }) => type === 'command:run')).toMatchObject({ exitCode: 126 });
	writeFileSync(join(project, '.overtone/config.json'), '{}');
	expect(await sh('bash echo hi', [], broken)).toMatchObject({ code: 0, stdout: 'hi\n' });
});

test('R549 an agent that was started for a task keeps to it', async () => {
	writeFileSync(join(project, '.overtone/config.json'), '{}');
	const task = { SIGNALBOX_TASK_EXCLUDE: 'task:,edit,write' };
	for (const line of ['task:general -p x -d y', 'write a.txt x']) {
		expect(await sh(line, ['--session', 's1'], task)).toMatchObject({
			code: 126,
			stderr: expect.stringContaining('started for a task'),
		});
	}
	expect((await sh('echo fine', ['--session', 's1'], task)).code).toBe(0);
	expect(folded(timeline()).view.counters).toMatchObject({ denials: 2, calls: 3 });
});

test('R549 a usage error runs nothing; an empty command is none', async () => {
	const lone = await dispatch(['sh', 'read', 'a.txt'], {
		env: environment(),
		cwd: project,
		print: () => {},
		say: (text) => expect(text).toMatch(/one word|Usage/),
	});
	expect(lone).toBe(2);
	expect(await sh('')).toMatchObject({ code: 1, stderr: 'The command is empty.\n' });
	expect(await sh('  ')).toMatchObject({ code: 1 });
});

test('R549 an interrupt ends what runs and exits with 130; stdin gives the command', async () => {
	const pidFile = join(project, 'pid');
	const program = await builtChild('command-child');
	const start = (line: string, input = '') => {
		const env = { NODE_ENV: 'test' as const, ...environment() };
		const child = spawn(process.execPath, [program, 'sh', line, '--session', 's1'], { cwd: project, env });
		child.stdin.end(input);
		let text = '';
		child.stdout.on('data', (chunk) => {
			text += chunk;
		});
		const ended = new Promise<{ code: number | null; text: string }>((resolve) => {
			child.on('close', (code) => resolve({ code, text }));
		});
		return { child, ended };
	};
	expect(await start('-', 'echo "from stdin"\n').ended).toEqual({ code: 0, text: 'from stdin\n' });
	const { child, ended } = start(`echo started > ${pidFile}; sleep 600`);
	await vi.waitFor(() => expect(existsSync(pidFile)).toBe(true), { timeout: 20_000 });
	child.kill('SIGINT');
	expect((await ended).code).toBe(130);
	expect(timeline().at(-1)).toMatchObject({ type: 'command:run', exitCode: 130 });
});

test('a command whose output nobody takes leaves no signal handler behind', async () => {
	const before = process.listenerCount('SIGINT');
	const ignore = () => undefined;
	const options = { env: environment(), cwd: project, print: ignore, say: ignore };
	const write = () => Promise.reject(new Error('the reader is gone'));
	const ended = dispatch(['sh', 'read package.json', '--session', 's1'], { ...options, write });
	expect(await ended.catch(() => 'rejected')).not.toBe(0);
	expect(process.listenerCount('SIGINT')).toBe(before);
});
