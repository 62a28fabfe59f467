import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, wantsHelp } from '#lib/commands/shell-help.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { readTodos, type Todo, todoSummary } from '#lib/commands/todo-list.ts';
import { type CancelablePromise, cancelable } from './cancelable.ts';
import { type CommandHandler, type CommandResult, done, failed } from './command-result.ts';

/** `TodoWrite`: checks a whole list and hands it on. Limits are read from the environment at each call. */
export class TodoWriteHandler implements CommandHandler {
	readonly #env: ShellEnv;
	readonly #onTodos: (todos: readonly Todo[]) => void;

	constructor(env: ShellEnv, onTodos: (todos: readonly Todo[]) => void) {
		this.#env = env;
		this.#onTodos = onTodos;
	}

	execute(line: string): CancelablePromise<CommandResult> {
		return cancelable(async () => {
			const help = wantsHelp(line);
			if (help) return done(helpOf(line, help));
			const read = readTodos(afterFirstWord(line), this.#env);
			if (!read.ok) return failed(read.message);
			this.#onTodos(read.todos);
			return done(`${todoSummary(read.todos)}\n`);
		});
	}
}
