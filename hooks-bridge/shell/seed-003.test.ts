import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readTask, type Task } from '#lib/commands/task-command.ts';
import { RestrictedBashTool, TodoWriteHandler } from './agent-shell.ts';
import { BashRouter } from './bash-router.ts';
import { BashTool, type ShellTool, type ToolResult } from './bash-tool.ts';
import { type CancelablePromise, type CommandResult, cancelable, done } from './command-result.ts';
import { allowedFolders } from './files/allowed-folders.ts';
import { EditHandler, ReadHandler, WriteHandler } from './files/file-commands.ts';
import { TaskCommandHandler } from './headless-agent.ts';

let folder: string;
beforeEach(() => {
	folder = realpathSync(mkdtempSync(join(tmpdir(), 'seed3-')));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Stands for the SubAgentManager: notes what it is asked to do. */
function agents(answer: (task: Task, signal: AbortSignal) => Promise<string> = async () => 'done') {
	const tasks: Task[] = [];
	const execute = vi.fn((task: Task, signal: AbortSignal) => {
		tasks.push(task);
		return answer(task, signal);
	});
	return { tasks, execute, handler: new TaskCommandHandler({ execute }) };
}

const foldersIn = (state = join(folder, 'state')) =>
	allowedFolders({ project: folder, cwd: folder, state, env: { HOME: join(folder, 'home'), TMPDIR: folder } });

describe('seed 003, task 命令参数解析与执行', () => {
	test('`-p/-d` 短参数应等价于长参数', async () => {
		const { tasks, handler } = agents();
		const result = await handler.execute('task:general -p "research" -d "general task"');
		expect(tasks).toEqual([{ type: 'general', prompt: 'research', description: 'general task' }]);
		expect(result).toEqual({ stdout: 'done\n', stderr: '', exitCode: 0 });
		const long = readTask('task:general --prompt "research" --description "general task"');
		expect(readTask('task:general -p "research" -d "general task"')).toEqual(long);
	});

	test('`--model` 与 `--max-turns` 可被正确解析', async () => {
		const { tasks, handler } = agents();
		const line = 'task:general --prompt "x" --description "y" --model claude-sonnet-4-20250514 --max-turns 10';
		expect((await handler.execute(line)).exitCode).toBe(0);
		expect(tasks[0]).toMatchObject({ model: 'claude-sonnet-4-20250514', maxTurns: 10 });
	});

	test('`task:* --help` 仅输出帮助且不触发子代理执行', async () => {
		const { execute, handler } = agents();
		for (const line of ['task:general --help', 'task:invalid -h', 'task:explore -p x -d y --help']) {
			expect(await handler.execute(line)).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('USAGE') });
		}
		expect(execute).not.toHaveBeenCalled();
	});

	test('非法类型命令应返回统一错误', async () => {
		const { execute, handler } = agents();
		const result = await handler.execute('task:invalid --prompt "x" --description "y"');
		expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Invalid task command') });
		expect(result.stderr).toContain('skill, explore, general');
		expect(execute).not.toHaveBeenCalled();
	});

	test('引号参数支持单引号、双引号与混合形式', async () => {
		const { tasks, handler } = agents();
		await handler.execute(`task:explore --prompt "multi word" --description 'single quoted'`);
		await handler.execute(`task:explore --prompt "it's"' mixed' --description 'say "hi"'`);
		expect(tasks.map(({ prompt, description }) => [prompt, description])).toEqual([
			['multi word', 'single quoted'],
			["it's mixed", 'say "hi"'],
		]);
	});

	test('参数引号未闭合时应返回可诊断错误', async () => {
		const { execute, handler } = agents();
		const result = await handler.execute('task:explore --prompt "unclosed --description "x"');
		expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unclosed quote') });
		expect(execute).not.toHaveBeenCalled();
	});

	test('执行中调用 cancel 应返回中断退出码', async () => {
		const { handler } = agents(
			(_task, signal) =>
				new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')))),
		);
		const running = handler.execute('task:general -p x -d y');
		running.cancel();
		expect(await running).toMatchObject({
			exitCode: 130,
			stderr: expect.stringContaining('Task execution interrupted'),
		});
	});
});

describe('seed 003, RestrictedBashTool 权限阻断', () => {
	/** A delegate that counts its calls. */
	function delegate(answer: () => CancelablePromise<ToolResult> = () => cancelable(async () => ran)) {
		const call = vi.fn((_params: { command: string }) => answer());
		const tool: ShellTool = { name: 'Bash', description: 'runs things', call };
		return { call, tool };
	}
	const ran: ToolResult = { isError: false, output: 'ok', brief: 'Done' };
	const restricted = (tool: ShellTool, ...exclude: string[]) =>
		new RestrictedBashTool(tool, { exclude, agentType: 'explore' });

	test('前缀模式 `task:` 应阻断所有 task 命令', async () => {
		const { tool, call } = delegate();
		for (const command of ['task:skill:search -p x -d y', 'task:explore -p x -d y']) {
			const result = await restricted(tool, 'task:').call({ command });
			expect(result).toMatchObject({ isError: true, output: expect.stringContaining('is not allowed') });
			expect(result.output).toContain('explore agents');
		}
		expect(call).not.toHaveBeenCalled();
	});

	test('精确模式仅阻断同名命令不阻断近似前缀', async () => {
		const { tool, call } = delegate();
		expect((await restricted(tool, 'edit').call({ command: 'edit ./a.txt old new' })).isError).toBe(true);
		expect(await restricted(tool, 'edit').call({ command: 'editor ./a.txt' })).toBe(ran);
		expect(call.mock.calls).toEqual([[{ command: 'editor ./a.txt' }]]);
	});

	test('被阻断命令应在委托前返回且不触发 delegate.call', async () => {
		const { tool, call } = delegate();
		const result = await restricted(tool, 'rm').call({ command: 'rm -rf /tmp/x' });
		expect(result).toMatchObject({ isError: true, brief: 'Command blocked' });
		expect(call).toHaveBeenCalledTimes(0);
	});

	test('允许命令应透传给 delegate 并保留返回 extras', async () => {
		const extras = { type: 'sandbox_blocked', resource: '/etc/passwd' };
		const { tool, call } = delegate(() => cancelable(async () => ({ ...ran, extras })));
		const result = await restricted(tool, 'rm').call({ command: 'cat /etc/passwd' });
		expect(result.extras).toEqual(extras);
		expect(call).toHaveBeenCalledTimes(1);
	});

	test('返回 promise 的 cancel 能力应向下透传', () => {
		const cancel = vi.fn();
		const { tool } = delegate(() => Object.assign(new Promise<ToolResult>(() => {}), { cancel }));
		restricted(tool, 'rm').call({ command: 'sleep 5' }).cancel();
		expect(cancel).toHaveBeenCalledTimes(1);
	});
});

describe('seed 003, BashRouter 与沙箱分流', () => {
	/** A router of which everything is noted. */
	function routed(cwd = '/workspace') {
		const execute = vi.fn((_command: string, _cwd: string) => cancelable(async () => done('from the sandbox')));
		const handled: string[] = [];
		const handler = {
			execute: (line: string): CancelablePromise<CommandResult> => {
				handled.push(line);
				return cancelable(async () => done('handled'));
			},
		};
		const handlers = { read: handler, 'mcp:': handler, 'skill:': handler };
		return { execute, handled, router: new BashRouter({ handlers, sandboxManager: { execute }, getCwd: () => cwd }) };
	}

	test('Native 命令在存在 SandboxManager 时走沙箱执行', async () => {
		const { router, execute } = routed();
		expect((await router.route('npm test')).stdout).toBe('from the sandbox');
		expect(execute.mock.calls.map(([command, cwd]) => [command, cwd])).toEqual([['npm test', '/workspace']]);
	});

	test('Agent Shell 命令不应走 sandboxManager', async () => {
		const { router, execute, handled } = routed();
		await router.route('read ./README.md');
		expect(handled).toEqual(['read ./README.md']);
		expect(execute).toHaveBeenCalledTimes(0);
	});

	test('Extend Shell 命令不应走 sandboxManager', async () => {
		const { router, execute, handled } = routed();
		await router.route('mcp:demo:echo');
		await router.route('skill:demo:run');
		expect(handled).toEqual(['mcp:demo:echo', 'skill:demo:run']);
		expect(execute).not.toHaveBeenCalled();
	});
});

describe('seed 003, 文件与 Todo 命令细节', () => {
	test('`read` 输出应包含 cat -n 风格行号', async () => {
		writeFileSync(join(folder, 'file.txt'), 'one\ntwo\nthree\nfour\n');
		const read = new ReadHandler(foldersIn(), {});
		expect((await read.execute('read file.txt')).stdout).toBe(
			'     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour\n',
		);
		expect((await read.execute('read file.txt --offset 1 --limit 2')).stdout).toBe('     2\ttwo\n     3\tthree\n');
		expect(await read.execute('read file.txt --offset 9')).toEqual({ stdout: '', stderr: '', exitCode: 0 });
	});

	test('`write` 文件路径引号未闭合时返回明确错误', async () => {
		const result = await new WriteHandler(foldersIn()).execute('write "./tmp/a.txt hello');
		expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Unclosed quote in file path') });
	});

	const todos = (...statuses: string[]) =>
		`TodoWrite '${JSON.stringify({
			todos: statuses.map((status, index) => ({ content: `todo ${index}`, activeForm: `doing ${index}`, status })),
		})}'`;

	test('TodoWrite 限制同一时刻最多 1 个 `in_progress`', async () => {
		const onTodos = vi.fn();
		const handler = new TodoWriteHandler({}, onTodos);
		const result = await handler.execute(todos('in_progress', 'pending', 'in_progress'));
		expect(result).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Too many in_progress items') });
		expect(onTodos).not.toHaveBeenCalled();
		expect(await handler.execute(todos('in_progress', 'completed'))).toMatchObject({ exitCode: 0 });
		expect(onTodos).toHaveBeenCalledTimes(1);
	});

	test('TodoWrite 约束可由环境变量覆盖且非法值回退默认', async () => {
		const with3 = todos('pending', 'pending', 'pending');
		const limited = await new TodoWriteHandler({ SYNAPSE_TODO_MAX_ITEMS: '2' }, () => {}).execute(with3);
		expect(limited).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('Too many items (max 2)') });
		for (const value of ['0', '-3', 'many', '2.5', '']) {
			const handler = new TodoWriteHandler({ SYNAPSE_TODO_MAX_ITEMS: value }, () => {});
			expect((await handler.execute(with3)).exitCode).toBe(0);
			const over = await handler.execute(todos(...Array.from({ length: 51 }, () => 'pending')));
			expect(over.stderr).toContain('Too many items (max 50)');
		}
		const short = new TodoWriteHandler({ SYNAPSE_TODO_MAX_CONTENT_LENGTH: '5' }, () => {});
		expect((await short.execute(todos('pending'))).stderr).toContain('at most 5 characters');
	});
});

test('edit replaces to the letter: nothing in either text has a meaning of its own', async () => {
	mkdirSync(join(folder, 'sub'));
	writeFileSync(join(folder, 'sub/a.txt'), 'price: X, X');
	const edit = new EditHandler(foldersIn());
	const result = await edit.execute(`edit sub/a.txt X "$& $1 $$"`);
	expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Replaced 1 place') });
	expect(readFileSync(join(folder, 'sub/a.txt'), 'utf8')).toBe('price: $& $1 $$, X');
	expect((await edit.execute('edit sub/a.txt X "" --all')).exitCode).toBe(0);
	expect(readFileSync(join(folder, 'sub/a.txt'), 'utf8')).toBe('price: $& $1 $$, ');
	expect((await edit.execute('edit sub/a.txt nowhere x')).stderr).toContain('String not found in file');
});

test('R501 a tool result says what kind of failure it was, and an empty success is not silence', async () => {
	const results: CommandResult[] = [
		{ stdout: '', stderr: 'bash: nope: command not found\n', exitCode: 127 },
		{ stdout: 'x\n', stderr: 'Usage: read <path>\n', exitCode: 1 },
		{ stdout: '', stderr: '', exitCode: 0 },
	];
	const sandboxManager = { execute: () => cancelable(async () => results.shift() ?? done('')) };
	const tool = new BashTool(new BashRouter({ handlers: {}, sandboxManager }));
	expect((await tool.call({ command: 'nope' })).extras).toMatchObject({
		failureCategory: 'command_not_found',
		baseCommand: 'nope',
		exitCode: 127,
	});
	expect(await tool.call({ command: 'x' })).toMatchObject({
		output: 'x\n\n[stderr]\nUsage: read <path>',
		extras: { failureCategory: 'invalid_usage' },
	});
	expect(await tool.call({ command: 'true' })).toMatchObject({ isError: false, output: '(no output)' });
	expect(await tool.call({ command: 'Bash(ls)' })).toMatchObject({ isError: true });
	expect(await tool.call({ command: '  ' })).toMatchObject({ isError: true });
});
