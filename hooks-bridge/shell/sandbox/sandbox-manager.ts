import { limitOf, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { type CommandResult, cancelable, failed, type RunOptions, SHELL_EXIT } from '../command-result.ts';
import { type ChildRun, resultOf, runChild } from '../run-child.ts';
import type { ClosedFile } from './closed-files.ts';
import { hasBegun, type Sandbox } from './sandbox.ts';

/** What is done with commands of the operating system without a sandbox (`commands.withoutSandbox`). */
export type WithoutSandbox = 'run' | 'refuse';

/** The message without a sandbox. It does not judge the command. */
export const UNAVAILABLE: Readonly<Record<WithoutSandbox, string>> = {
	run: 'sandbox unavailable: commands run without it (commands.withoutSandbox is "run").',
	refuse: 'sandbox unavailable: the command did not run (commands.withoutSandbox is "refuse").',
};

interface Options {
	sandbox: Sandbox;
	env: ShellEnv;
	withoutSandbox: WithoutSandbox;
	/** Called whenever a command runs or is refused for lack of a sandbox. */
	onUnavailable?: (message: string) => void;
}

/** Runs each command in a new shell inside the sandbox; on a machine without one, as `withoutSandbox` says. */
export function createSandboxManager(options: Options) {
	const { sandbox, env, withoutSandbox, onUnavailable } = options;
	const runUnsandboxed = async (run: ChildRun, command: string): Promise<CommandResult> => {
		const message = UNAVAILABLE[withoutSandbox];
		onUnavailable?.(message);
		const warning = `signalbox: ${message}\n`;
		if (withoutSandbox === 'refuse') return failed(warning, SHELL_EXIT.notRun);
		await run.onOutput?.(Buffer.from(warning), 'stderr');
		const result = await resultOf(await runChild({ ...run, program: '/bin/bash', args: ['-c', command] }), run);
		return { ...result, stderr: warning + result.stderr };
	};
	const execute = async (command: string, cwd: string, run: ChildRun): Promise<CommandResult> => {
		if (command.includes('\0')) return failed('A command holds no NUL character.');
		if (!(await sandbox.isAvailable())) return runUnsandboxed(run, command);
		const wrapped = sandbox.wrap(['/bin/bash', '-c', command], cwd, command);
		const end = await runChild({ ...run, ...wrapped, cwd: '/', wrapped: true });
		const hasRun = hasBegun(end.status) || end.why === 'cancelled' || end.why === 'timed-out';
		if (!hasRun && end.stdout === '' && end.stderr === '') return runUnsandboxed(run, command);
		return nameClosedFile(await resultOf(end, run), wrapped.closed);
	};
	return {
		execute: (command: string, cwd: string, { onOutput }: RunOptions = {}) =>
			cancelable((signal) => {
				const timeoutMs = limitOf(env, 'SYNAPSE_COMMAND_TIMEOUT', 0);
				const limits = { ...(timeoutMs > 0 && { timeoutMs }), ...(onOutput && { onOutput }) };
				return execute(command, cwd, { program: '', args: [], cwd, env, signal, ...limits });
			}),
	};
}

export type SandboxManager = ReturnType<typeof createSandboxManager>;

/** Names the closed file that a command tried to read, as far as its errors show it. */
function nameClosedFile(result: CommandResult, closed: readonly ClosedFile[]): CommandResult {
	if (result.exitCode === 0 || !result.stderr.includes('Permission denied')) return result;
	const blocked = closed.find(({ path }) => result.stderr.includes(path.slice(path.lastIndexOf('/') + 1)));
	if (!blocked) return result;
	return { ...result, extras: { type: 'sandbox_blocked', resource: blocked.pattern, blockedReason: 'deny file-read' } };
}
