import { TASK_HELP } from '#lib/commands/shell-help.ts';
import { readTask, type Task } from '#lib/commands/task-command.ts';
import { type CancelablePromise, cancelable } from './cancelable.ts';
import { type CommandHandler, type CommandResult, done, failed, SHELL_EXIT } from './command-result.ts';

/** Runs one task in an agent of its own and gives its last words. Throws when the agent fails, also when aborted. */
export interface TaskExecutor {
	execute(task: Task, signal: AbortSignal): Promise<string>;
}

/**
 * Runs `task:` commands (seed 003). Help and everything that is wrong with the line are answered without the executor.
 * Exit codes: 0, 1 for whatever fails, 130 when it was cancelled.
 */
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
