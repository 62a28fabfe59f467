import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { doorProof, runFromHeaders } from '../door/hook-run.ts';
import { type InstalledHook, installHook } from '../testing/installed-hook.ts';

let hook: InstalledHook;
beforeEach(async () => {
	hook = await installHook();
	writeFileSync(join(hook.home, 'config.json'), '{"commands": {"exclude": ["rm"]}}');
});
afterEach(() => hook.remove());

const gemini = (command: string) =>
	JSON.stringify({
		session_id: 's1',
		cwd: hook.project,
		hook_event_name: 'BeforeTool',
		tool_name: 'run_shell_command',
		tool_input: { command },
	});

describe('the hook of another make', () => {
	it('asks the door under its name', async () => {
		const requests: unknown[] = [];
		const key = 'a'.repeat(64);
		writeFileSync(join(hook.home, 'door.key'), key);
		await hook.serve((request, reply) => {
			requests.push(request.url);
			const body = '{"decision":"deny","reason":"no"}';
			const proof = doorProof(key, String(request.headers['x-signalbox-request']), body);
			const type = { 'content-type': `application/json; proof=${proof}` };
			request.resume().on('end', () => reply.writeHead(200, type).end(body));
		});
		const answer = { code: 0, stdout: '{"decision":"deny","reason":"no"}\n', stderr: '' };
		expect(await hook.run(['open', '15', 'gemini'], gemini('ls'))).toEqual(answer);
		const node = [join(hook.bin, 'hook.cjs'), '--agent', 'gemini', '--profile', 'open', '--timeout', '15'];
		expect(await hook.run(node, gemini('ls'), { command: 'node' })).toEqual(answer);
		expect(requests).toEqual(['/hooks/gemini', '/hooks/gemini']);
	});

	it('an option without its value takes no other option for it: the profile stays closed', async () => {
		await hook.serve((request, reply) => void request.resume().on('end', () => reply.writeHead(500).end()));
		for (const args of [
			['--agent', '--profile', 'closed'],
			['--agent', 'gemini', '--profile'],
			['--profile', '--agent', 'gemini'],
		]) {
			const { stdout } = await hook.run([join(hook.bin, 'hook.cjs'), ...args], 'no JSON', { command: 'node' });
			expect(stdout, args.join(' ')).toContain('deny');
		}
	});

	it('judges by itself without a server, in the make’s own shape', async () => {
		const { code, stdout } = await hook.run(['open', '15', 'gemini'], gemini('rm -rf /'));
		expect([code, JSON.parse(stdout)]).toEqual([0, { decision: 'deny', reason: expect.stringContaining('rm') }]);
		expect(await hook.run(['open', '15', 'gemini'], gemini('ls'))).toEqual({ code: 0, stdout: '', stderr: '' });
		expect(hook.recorded('s1').find(({ type }) => type === 'tool:call')).toMatchObject({ does: 'run-command' });
	});

	it.each([
		['its node breaks down', 'process.exit(3)'],
		['its node is killed', "process.kill(process.pid, 'SIGKILL')"],
		['its node says what is no answer', "console.log('hello')"],
	])('lets a call pass in silence where %s: an exit code would be a denial', async (_name, program) => {
		writeFileSync(join(hook.bin, 'hook.cjs'), program);
		expect(await hook.run(['open', '15', 'gemini'], gemini('rm'))).toMatchObject({ code: 0, stdout: '' });
		expect(await hook.run(['observe', '15', 'copilot'], gemini('rm'))).toMatchObject({ code: 0, stdout: '' });
	});

	it('under closed denies by the exit code that every make reads, with words', async () => {
		writeFileSync(join(hook.bin, 'hook.cjs'), 'process.exit(3)');
		const { code, stdout, stderr } = await hook.run(['closed', '15', 'gemini'], gemini('ls'));
		expect([code, stdout]).toEqual([2, '']);
		expect(stderr).toContain('the hook failed');
	});
});

it('Copilot CLI, which runs the entries of Claude Code as well, records a call once if it has hooks of its own', async () => {
	const call = JSON.stringify({
		...{ session_id: 's1', cwd: hook.project, hook_event_name: 'PreToolUse', tool_name: 'Bash' },
		tool_input: { command: 'ls' },
	});
	const env = { COPILOT_PROJECT_DIR: hook.project, COPILOT_HOME: join(hook.home, 'copilot') };
	await hook.run(['open', '15'], call, { env });
	expect(hook.recorded('s1').map(({ type }) => type)).toContain('tool:call');
	const before = hook.recorded('s1').length;
	mkdirSync(join(env.COPILOT_HOME, 'hooks'), { recursive: true });
	writeFileSync(join(env.COPILOT_HOME, 'hooks/signalbox.json'), '{}');
	expect(await hook.run(['open', '15'], call, { env })).toEqual({ code: 0, stdout: '', stderr: '' });
	expect(hook.recorded('s1')).toHaveLength(before);
	const { stdout } = await hook.run(['closed', '15'], call.replace('"ls"', '"rm x"'), { env });
	expect(stdout).toContain('"permissionDecision":"deny"');
});

it('the environment of another make says nothing of its project, and no hook waits longer than its client', () => {
	const headers = { 'x-signalbox-timeout': '600', 'x-signalbox-env-claude_project_dir': '/other' };
	expect(runFromHeaders(headers, 'r', 'qwen').run).toMatchObject({ agent: 'qwen', timeoutSeconds: 60 });
	expect(runFromHeaders(headers, 'r', 'codex').run.projectDir).toBeUndefined();
	expect(runFromHeaders(headers, 'r').run).toMatchObject({ projectDir: '/other', timeoutSeconds: 600 });
});
