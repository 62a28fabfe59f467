import { afterFirstWord, classOf, firstWord } from '#lib/commands/shell-class.ts';
import { helpOf, shellCommands, wantsHelp } from '#lib/commands/shell-help.ts';
import type { BashSession } from './bash-session.ts';
import {
	type CancelablePromise,
	type CommandHandler,
	type CommandResult,
	cancelable,
	done,
	failed,
	type RunOptions,
	SHELL_EXIT,
	underSignal,
} from './command-result.ts';
import type { SandboxManager } from './sandbox/sandbox-manager.ts';

/** The handler of each kind of line. A missing one is answered with an error that says so. */
export interface Routes {
	/** By first word, or by its part up to and with the colon: `read`, `task:`, `mcp:`. */
	handlers: Readonly<Record<string, CommandHandler>>;
	/** Without it, commands of the operating system run in the session. */
	sandboxManager?: SandboxManager;
	session?: BashSession;
	getCwd?: () => string;
}

export interface RouteOptions extends RunOptions {
	/** Start the lasting shell again first. */
	restart?: boolean;
}

/** Passes each line of the agent shell to its handler (seed 003). Never rejects. */
export class BashRouter {
	readonly #routes: Routes;

	constructor(routes: Routes) {
		this.#routes = routes;
	}

	route(line: string, options: RouteOptions = {}): CancelablePromise<CommandResult> {
		return cancelable((signal) => this.#run(line, options, signal));
	}

	async #run(line: string, { restart, ...options }: RouteOptions, signal: AbortSignal): Promise<CommandResult> {
		try {
			if (restart) await this.#routes.session?.restart();
			if (signal.aborted) return failed('Command execution interrupted.', SHELL_EXIT.cancelled);
			return await underSignal(this.#start(line, options), signal);
		} catch (error) {
			return failed(`Command execution failed: ${error instanceof Error ? error.message : String(error)}`);
		}
	}

	#start(line: string, options: RunOptions): CancelablePromise<CommandResult> {
		const word = firstWord(line);
		if (word === '') return answer(failed('The command is empty.'));
		if (classOf(line) === 'native') return this.#native(line, options);
		if (word === 'bash') return this.#bash(line, options);
		const prefix = /^(?:task|mcp|skill):/.exec(word)?.[0];
		const handler = this.#routes.handlers[prefix ?? word];
		return handler?.execute(line, options) ?? answer(failed(`${prefix ?? word} commands are not available here.`));
	}

	#native(line: string, options: RunOptions): CancelablePromise<CommandResult> {
		const { sandboxManager, session, getCwd } = this.#routes;
		if (sandboxManager) return sandboxManager.execute(line, getCwd?.() ?? process.cwd(), options);
		return (
			session?.execute(line, options) ?? answer(failed('Commands of the operating system are not available here.'))
		);
	}

	/** `bash CMD` runs in the lasting shell, inside the sandbox if any. */
	#bash(line: string, options: RunOptions): CancelablePromise<CommandResult> {
		const help = wantsHelp(line);
		const command = afterFirstWord(line);
		if (help && /^\s*\S+\s+\S+\s*$/.test(line)) return answer(done(helpOf(line, help)));
		if (command.trim() === '') return answer(failed(shellCommands.bash?.usage ?? ''));
		const { session } = this.#routes;
		return session?.execute(command, options) ?? answer(failed('bash is not available here.'));
	}
}

function answer(result: CommandResult): CancelablePromise<CommandResult> {
	return cancelable(async () => result);
}
