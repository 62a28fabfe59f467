import { existsSync } from 'node:fs';
import { TASK_HELP } from '#lib/commands/shell-help.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { accessOf, readTask, type Task } from '#lib/commands/task-command.ts';
import { tokenise } from '#lib/commands/tokenise.ts';
import { printable } from '#lib/text/printable.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
	SHELL_EXIT,
} from './command-result.ts';
import { runChild } from './run-child.ts';

/** The patterns that the shell of a task's agent refuses, comma-separated; set by the shell that started it. */
export const TASK_EXCLUDE = 'SIGNALBOX_TASK_EXCLUDE';

/** Variables that would make the new agent act as the agent that started it, or as a reviewer, whose calls are not judged. */
const NOT_INHERITED = [
	'CLAUDECODE',
	'CLAUDE_CODE_ENTRYPOINT',
	'CLAUDE_CODE_SESSION_ID',
	'CLAUDE_PID',
	'CCC_SUPERVISOR_ID',
	'CCC_SUPERVISOR_HOOK',
];

/** The client's own tools that do what a pattern of the shell refuses. */
const CLIENT_TOOLS: Readonly<Record<string, readonly string[]>> = {
	'task:': ['Task', 'Agent'],
	write: ['Write', 'NotebookEdit'],
	edit: ['Edit'],
};

/** The words of the command that runs an agent: `CCC_CLAUDE`, a path or a command with arguments, else `claude`. */
export function agentCommand(env: ShellEnv): string[] {
	const named = env.CCC_CLAUDE?.trim() ?? '';
	if (named === '') return ['claude'];
	const read = existsSync(named) ? null : tokenise(named);
	return read?.ok && read.tokens.length > 0 ? read.tokens : [named];
}

/** The arguments of a headless run; the prompt goes to stdin. */
export function agentArguments(task: Task): string[] {
	const access = accessOf(task);
	const turns = task.maxTurns ?? access.maxTurns;
	const refused = access.exclude.flatMap((pattern) => CLIENT_TOOLS[pattern] ?? []);
	return [
		'-p',
		...['--output-format', 'text'],
		...(task.model === undefined ? [] : ['--model', task.model]),
		...(turns === undefined ? [] : ['--max-turns', String(turns)]),
		...(access.tools === 'none' ? ['--tools', ''] : ['--disallowedTools', refused.join(',')]),
	];
}

/** Runs tasks with the agent client in print mode. Cancelling ends the client with everything that it started. */
export function createHeadlessAgent(options: { cwd: string; env: ShellEnv }): TaskExecutor {
	const { cwd, env } = options;
	return {
		async execute(task, signal) {
			const [program = '', ...words] = agentCommand(env);
			const own = Object.fromEntries(Object.entries(env).filter(([name]) => !NOT_INHERITED.includes(name)));
			const end = await runChild({
				program,
				args: [...words, ...agentArguments(task)],
				cwd,
				env: { ...own, [TASK_EXCLUDE]: accessOf(task).exclude.join(',') },
				input: task.prompt,
				signal,
			});
			if (end.why === 'not-started') {
				throw new Error(`${program} cannot be started. Install it, or name the command in CCC_CLAUDE.`);
			}
			if (end.why === 'ended' && end.exitCode === 0) return end.stdout;
			const output = printable(end.stderr.trim() || end.stdout.trim(), 2000);
			throw new Error(`the agent ended with ${end.exitCode}${output === '' ? '' : `: ${output}`}`);
		},
	};
}

/** Runs one task in an agent of its own and returns its last message. Throws if the agent fails, also if aborted. */
export interface TaskExecutor {
	execute(task: Task, signal: AbortSignal): Promise<string>;
}

/** Runs `task:` commands (seed 003); answers help and wrong lines itself. Exit codes: 0, 1 for any failure, 130 if cancelled. */
export class TaskCommandHandler implements CommandHandler {
	readonly #executor: TaskExecutor;

	constructor(executor: TaskExecutor) {
		this.#executor = executor;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable((signal) => this.#run(line, signal));
	}

	async #run(line: string, signal: AbortSignal): Promise<CommandResult> {
		const read = readTask(line);
		switch (read.kind) {
			case 'help':
				return done(TASK_HELP);
			case 'error':
				return failed(read.message);
			case 'task':
				return this.#perform(read.task, signal);
		}
	}

	async #perform(task: Task, signal: AbortSignal): Promise<CommandResult> {
		try {
			const answer = await this.#executor.execute(task, signal);
			if (!signal.aborted) return done(answer === '' || answer.endsWith('\n') ? answer : `${answer}\n`);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			if (!signal.aborted) return failed(`Task execution failed: ${message}`);
		}
		return failed('Task execution interrupted.', SHELL_EXIT.cancelled);
	}
}
