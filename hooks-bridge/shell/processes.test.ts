import { spawnSync } from 'node:child_process';
import {
	chmodSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	realpathSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sandboxArguments } from '#lib/commands/sandbox-arguments.ts';
import { keepTemporaryOnDisk } from '../testing/temporary-on-disk.ts';
import { BashSession } from './bash-session.ts';
import { BoundedOutput } from './bounded-output.ts';
import { allowedFolders } from './files/allowed-folders.ts';
import { agentArguments, agentCommand, createHeadlessAgent, TaskCommandHandler } from './headless-agent.ts';
import { runChild } from './run-child.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createSandboxManager } from './sandbox/sandbox-manager.ts';

keepTemporaryOnDisk();
let folder: string;
let env: Record<string, string | undefined>;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'processes-')));
	for (const name of ['project', 'home/.ssh', 'outside', 'state']) mkdirSync(join(folder, name), { recursive: true });
	env = { PATH: process.env.PATH, HOME: join(folder, 'home'), TMPDIR: join(folder, 'project') };
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const project = () => join(folder, 'project');
const foldersOf = () => allowedFolders({ project: project(), cwd: project(), state: join(folder, 'state'), env });

/** Whether a process is there; a zombie is not. */
function isAlive(pid: number): boolean {
	try {
		return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
	} catch {
		return false;
	}
}

/** Waits for what a child writes. */
async function textIn(path: string): Promise<string> {
	await vi.waitFor(() => expect(existsSync(path) && readFileSync(path, 'utf8').trim()).toBeTruthy(), {
		timeout: 10_000,
	});
	return readFileSync(path, 'utf8').trim();
}

describe('R530 children', () => {
	const bash = (script: string) => ({ program: '/bin/bash', args: ['-c', script], cwd: folder, env });

	test('R530 output, errors and exit code come back; a signal is 128 and its number', async () => {
		expect(await runChild(bash('echo out; echo err >&2; exit 3'))).toMatchObject({
			stdout: 'out\n',
			stderr: 'err\n',
			exitCode: 3,
			why: 'ended',
		});
		expect((await runChild(bash('kill -9 $$'))).exitCode).toBe(137);
		expect((await runChild({ ...bash(''), program: '/no/such/program' })).why).toBe('not-started');
		expect((await runChild({ ...bash(''), cwd: '/no/such/folder' })).why).toBe('not-started');
		expect((await runChild({ ...bash('wc -c'), input: 'x'.repeat(300_000) })).stdout.trim()).toBe('300000');
	});

	test('R530 cancelling ends the whole group, also what ignores SIGTERM', async () => {
		const controller = new AbortController();
		const script = `sleep 600 & echo $! > child; trap '' TERM; echo $$ > self; while :; do sleep 600; done`;
		const running = runChild({ ...bash(script), signal: controller.signal });
		const pids = [Number(await textIn(join(folder, 'child'))), Number(await textIn(join(folder, 'self')))];
		expect(pids.map(isAlive)).toEqual([true, true]);
		controller.abort();
		expect((await running).why).toBe('cancelled');
		await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]));
	});

	test('R530 no process of a finished command continues, and one that left the group delays nobody', async () => {
		const end = await runChild(bash('sleep 600 & echo $! > child; setsid sleep 600 & echo $! > gone; echo done'));
		expect(end).toMatchObject({ stdout: 'done\n', why: 'ended' });
		const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
		await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
		process.kill(Number(readFileSync(join(folder, 'gone'), 'utf8')), 'SIGKILL');
	});

	test('output is bounded: beginning and end are kept, with how much is left out', async () => {
		const output = new BoundedOutput(100);
		for (let index = 0; index < 1000; index++) output.add(Buffer.from(`${String(index).padStart(4)}\n`));
		expect(output.text()).toMatch(/^ {3}0\n[\s\S]*\n\[\.\.\. 4900 bytes left out \.\.\.\]\n[\s\S]* 999\n$/);
		const small = new BoundedOutput(100);
		small.add(Buffer.from('é'.repeat(50)));
		expect(small.text()).toBe('é'.repeat(50));
		const end = await runChild(bash('head -c 5000000 /dev/zero | tr "\\0" x; echo end'));
		expect(end.stdout.length).toBeLessThan(1_100_000);
		expect(end.stdout.endsWith('end\n')).toBe(true);
	});

	test('a reader that is slow slows the command, and gets everything', async () => {
		let bytes = 0;
		const end = await runChild({
			...bash('head -c 3000000 /dev/zero'),
			onOutput: async (chunk) => {
				await new Promise(setImmediate);
				bytes += chunk.length;
			},
		});
		expect([bytes, end.exitCode]).toEqual([3_000_000, 0]);
	});
});

describe('R532 the agent of a task', () => {
	const script = (text: string) => {
		const path = join(folder, 'agent.sh');
		writeFileSync(path, `#!/bin/bash\n${text}\n`);
		chmodSync(path, 0o755);
		return path;
	};
	const handler = (agent: string, more: Record<string, string> = {}) =>
		new TaskCommandHandler(createHeadlessAgent({ cwd: project(), env: { ...env, CCC_CLAUDE: agent, ...more } }));

	test('R532 model and turns are really passed on, the prompt on stdin, what is refused by name', async () => {
		const agent = script('printf "%s|" "$@"; echo; cat; echo; echo "$SIGNALBOX_TASK_EXCLUDE $CLAUDECODE."; pwd');
		const line = 'task:explore -p "-x $(rm) prompt" -d y --model claude-sonnet-4-20250514 --max-turns 10';
		const { stdout, exitCode } = await handler(agent, { CLAUDECODE: '1' }).execute(line);
		expect(exitCode).toBe(0);
		expect(stdout.split('\n').slice(0, 4)).toEqual([
			'-p|--output-format|text|--model|claude-sonnet-4-20250514|--max-turns|10|--disallowedTools|Task,Agent,Edit,Write,NotebookEdit|',
			'-x $(rm) prompt',
			'task:,edit,write .',
			project(),
		]);
		expect(agentArguments({ type: 'skill', action: 'search', prompt: 'x', description: 'y' })).toEqual([
			...['-p', '--output-format', 'text', '--max-turns', '1', '--tools', ''],
		]);
		expect(agentCommand({})).toEqual(['claude']);
		expect(agentCommand({ CCC_CLAUDE: 'npx "my claude" --x' })).toEqual(['npx', 'my claude', '--x']);
	});

	test('R532 an agent that fails is exit code 1 with its words, without escape sequences', async () => {
		const failing = await handler(script('printf "\\033[31mno key\\033[0m\\n" >&2; exit 4')).execute(
			'task:general -p x -d y',
		);
		expect(failing).toMatchObject({ exitCode: 1, stderr: 'Task execution failed: the agent ended with 4: no key\n' });
		const missing = await handler('/no/such/agent').execute('task:general -p x -d y');
		expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('CCC_CLAUDE') });
	});

	test('R533 cancelling a task ends its agent with everything that it started', async () => {
		const agent = script(`sleep 600 & echo $! > ${join(folder, 'child')}; echo $$ > ${join(folder, 'self')}; wait`);
		const running = handler(agent).execute('task:general -p x -d y');
		const pids = [Number(await textIn(join(folder, 'child'))), Number(await textIn(join(folder, 'self')))];
		running.cancel();
		expect(await running).toEqual({ stdout: '', stderr: 'Task execution interrupted.\n', exitCode: 130 });
		await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]));
	});
});

describe('the shell that lasts', () => {
	let session: BashSession;
	const open = (more: Record<string, string> = {}) => {
		session = new BashSession({ cwd: project(), env: { ...env, ...more } });
		return session;
	};
	afterEach(() => session.close());

	test('folder and variables stay, a restart forgets them, commands wait for each other', async () => {
		open();
		expect(await session.execute('x=5; cd /; echo one; echo e >&2; false')).toEqual({
			stdout: 'one\n',
			stderr: 'e\n',
			exitCode: 1,
		});
		const both = [session.execute('sleep 0.1; echo $x > $OLDPWD/order; pwd'), session.execute('cat $OLDPWD/order')];
		expect((await Promise.all(both)).map(({ stdout }) => stdout)).toEqual(['/\n', '5\n']);
		await session.restart();
		expect((await session.execute('echo [$x]; pwd')).stdout).toBe(`[]\n${project()}\n`);
	});

	test.each([
		['an open quote', `echo 'it`, 2],
		['an unfinished list', 'if true; then', 2],
		['stdin, which is empty', 'cat', 0],
		['a heredoc', 'cat <<X\nhello\nX', 0],
		['an exit', 'exit 7', 7],
		['its stdout given away', 'exec >/dev/null; echo lost', 0],
		['all ports closed', 'exec 1>&- 2>&- 5>&-', 0],
	])('goes on after %s', async (_what, command, exitCode) => {
		open();
		expect((await session.execute(command)).exitCode).toBe(exitCode);
		expect(await session.execute('echo next')).toMatchObject({ stdout: 'next\n', exitCode: 0 });
	});

	test('a command that has ended leaves no timer and nobody who listens for its end', async () => {
		const timers = vi.spyOn(globalThis, 'setTimeout');
		const cleared = vi.spyOn(globalThis, 'clearTimeout');
		const listened = vi.spyOn(AbortSignal.prototype, 'addEventListener');
		const forgotten = vi.spyOn(AbortSignal.prototype, 'removeEventListener');
		await open({ SYNAPSE_COMMAND_TIMEOUT: '54321' }).execute('true');
		const limit = timers.mock.calls.findIndex(([, ms]) => ms === 54_321);
		expect(cleared).toHaveBeenCalledWith(timers.mock.results[limit]?.value);
		expect(listened).toHaveBeenCalled();
		expect(forgotten.mock.calls).toEqual(listened.mock.calls);
		vi.restoreAllMocks();
	});

	test('output cannot pass for the end of a command', async () => {
		open();
		const forged = `for i in 1 2 3; do printf '%032x 0\\n' $i; printf '%032x 0\\n' $i >&2; done; printf 'x 0\\n' >&5; printf '\\033]0;t\\007'; exit_code=9; (exit 9)`;
		const result = await session.execute(forged);
		expect(result.exitCode).toBe(9);
		expect(result.stdout.split('\n')).toHaveLength(4);
		expect(result.stderr).toContain('5: Bad file descriptor');
		expect((await session.execute('echo clean')).stdout).toBe('clean\n');
	});

	test('a time-out and a cancel end the shell and all its processes; the next command starts a new shell', async () => {
		open({ SYNAPSE_COMMAND_TIMEOUT: '300' });
		const late = await session.execute(`x=1; sleep 600 & echo $! > ${join(folder, 'child')}; wait`);
		expect(late).toMatchObject({ exitCode: 124, stderr: expect.stringContaining('timed out after 300 ms') });
		const pid = Number(readFileSync(join(folder, 'child'), 'utf8'));
		await vi.waitFor(() => expect(isAlive(pid)).toBe(false));
		await session.close();
		open();
		const running = session.execute(`echo $$ > ${join(folder, 'self')}; sleep 600`);
		await textIn(join(folder, 'self'));
		running.cancel();
		expect(await running).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('interrupted') });
		expect((await session.execute('echo [$x]')).stdout).toBe('[]\n');
	});
});

describe('R537 the sandbox', () => {
	test('R537 its arguments: read-only root first, then what may be written, then what is closed', () => {
		const args = sandboxArguments(
			{
				cwd: '/p',
				writable: ['/p', '/tmp', '/'],
				kept: ['/p/.mcp.json'],
				closed: [
					{ path: '/home/u/.ssh', folder: true },
					{ path: '/p/.env', folder: false },
				],
				blank: { file: '/b/file', folder: '/b/folder' },
				emptied: ['/run'],
			},
			['--die-with-parent', '--new-session'],
		);
		const text = args.join(' ');
		expect(text).toMatch(/^--unshare-all --die-with-parent --new-session --cap-drop ALL --ro-bind \/ \/ /);
		expect(text).toContain(
			'--tmpfs /run --bind /p /p --bind /tmp /tmp --ro-bind /p/.mcp.json /p/.mcp.json --ro-bind /b/folder /home/u/.ssh --ro-bind /b/file /p/.env',
		);
		expect(text).not.toContain('--bind / /');
		expect(text).not.toContain('--share-net');
		expect(args.slice(-3)).toEqual(['--chdir', '/p', '--']);
	});

	const manager = (program: string, withoutSandbox: 'run' | 'refuse', messages: string[] = []) => {
		const sandbox = createSandbox({ place: foldersOf(), env, program });
		const onUnavailable = (message: string) => void messages.push(message);
		return createSandboxManager({ sandbox, env, withoutSandbox, onUnavailable });
	};
	const script = (text: string) => {
		const path = join(folder, 'bwrap.sh');
		writeFileSync(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
		return path;
	};

	test.each([
		['is missing', () => '/no/such/bwrap'],
		['cannot start', () => script('echo "bwrap: setting up uid map: Operation not permitted, blocked" >&2; exit 1')],
		['says that it went well and did nothing', () => script('exit 0')],
	])('R538 where bubblewrap %s its words are never shown, and the setting decides', async (_how, program) => {
		const messages: string[] = [];
		const ran = await manager(program(), 'run', messages).execute('echo hi; exit 3', project());
		expect(ran).toMatchObject({ stdout: 'hi\n', exitCode: 3, stderr: expect.stringContaining('sandbox unavailable') });
		const refused = await manager(program(), 'refuse', messages).execute('touch ran', project());
		expect(refused).toMatchObject({ exitCode: 126, stderr: expect.stringContaining('sandbox unavailable') });
		expect(existsSync(join(project(), 'ran'))).toBe(false);
		const words = [ran.stderr, refused.stderr, ...messages].join('\n');
		expect(words).not.toMatch(/bwrap|uid map|permitted|block|not allowed|denied/i);
	});

	test('R538 a sandbox that starts for the trial and then breaks is unavailable, too', async () => {
		const program = script(
			`case "$*" in *"sh true") exec 2>&-; echo '{"exit-code": 0}' >&3;; *) echo "bwrap: blocked" >&2; exit 1;; esac`,
		);
		const ran = await manager(program, 'run').execute('echo hi', project());
		expect(ran).toMatchObject({ stdout: 'hi\n', exitCode: 0 });
		expect(ran.stderr).not.toMatch(/bwrap|block/);
	});

	// Asked of bubblewrap itself: were our own trial asked, a sandbox that we broke would only skip its test.
	const works = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', 'true']).status === 0;

	test.skipIf(!works)('R539 no writing outside, no network, and closed files stay closed', async () => {
		writeFileSync(join(folder, 'home/.ssh/id'), 'key');
		mkdirSync(join(folder, 'real'));
		writeFileSync(join(folder, 'real/credentials.json'), 'token');
		symlinkSync(join(folder, 'real/credentials.json'), join(project(), 'credentials.json'));
		writeFileSync(join(project(), '.env'), 'SECRET');
		writeFileSync(join(project(), '.mcp.json'), '{}');
		const native = manager('bwrap', 'refuse');
		const run = (command: string) => native.execute(command, project());
		expect(await run('echo hi > ok; cat ok; echo e >&2; exit 4')).toEqual({
			stdout: 'hi\n',
			stderr: 'e\n',
			exitCode: 4,
		});
		expect((await run(`echo x > ${folder}/outside/x`)).stderr).toContain('Read-only file system');
		expect((await run('echo x > .mcp.json')).stderr).toContain('Read-only file system');
		for (const path of ['.env', 'credentials.json', '/etc/passwd', '~/.ssh/id', `${folder}/real/credentials.json`]) {
			const { stdout, exitCode } = await run(`cat ${path}`);
			expect([path, stdout, exitCode]).toEqual([path, '', 1]);
		}
		expect((await run('cat .env')).extras).toEqual({
			type: 'sandbox_blocked',
			resource: '**/.env',
			blockedReason: 'deny file-read',
		});
		expect((await run('chmod 777 .env; cat .env')).stdout).toBe('');
		expect((await run('ls /proc | grep -c "^[0-9]"')).stdout.trim()).toMatch(/^[1-9]$/);
		expect((await run('(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1')).stdout).toMatch(/unreachable|refused/);
		expect((await run('cat /proc/net/dev | grep -c eth')).stdout.trim()).toBe('0');
		const running = run('sleep 600');
		running.cancel();
		expect((await running).exitCode).toBe(130);
	});
});
