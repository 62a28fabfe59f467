import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, wantsHelp } from '#lib/commands/shell-help.ts';
import type { ShellEnv } from '#lib/commands/shell-settings.ts';
import { readTodos, type Todo, todoSummary } from '#lib/commands/todo-list.ts';
import { BashRouter } from './bash-router.ts';
import { BashSession, type ShellStart } from './bash-session.ts';
import { type CancelablePromise, cancelable } from './cancelable.ts';
import { type CommandHandler, type CommandResult, done, failed } from './command-result.ts';
import { McpHandler } from './extend/mcp-handler.ts';
import { SearchHandler } from './extend/search-handler.ts';
import { SkillHandler } from './extend/skill-handler.ts';
import { allowedFolders } from './files/allowed-folders.ts';
import { EditHandler, ReadHandler, WriteHandler } from './files/file-commands.ts';
import { createHeadlessAgent } from './headless-agent.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { createSandboxManager, UNAVAILABLE, type WithoutSandbox } from './sandbox/sandbox-manager.ts';
import { TaskCommandHandler } from './task-command-handler.ts';

/** What the shell's commands need of the world. */
export interface ShellParts {
	/** The state root, which stays closed to commands. */
	home: string;
	project: string;
	cwd: string;
	env: ShellEnv;
	/** Programs that nothing in the sandbox may start, asked for each command. */
	excluded: () => readonly string[];
	withoutSandbox: WithoutSandbox;
	/** bubblewrap's name or path. */
	bubblewrap?: string;
	onTodos: (todos: readonly Todo[]) => void;
	onUnavailable: (message: string) => void;
}

/** Every command of the agent shell on a real machine, and its lasting shell, to be closed. */
export function createShellRouter(parts: ShellParts): { router: BashRouter; session: BashSession } {
	const { home, project, cwd, env, excluded, withoutSandbox, bubblewrap, onTodos, onUnavailable } = parts;
	const folders = allowedFolders({ project, cwd, state: home, env });
	const sandbox = createSandbox({ place: folders, env, excluded, ...(bubblewrap && { program: bubblewrap }) });
	const start = (): Promise<ShellStart> => startShell(sandbox, parts);
	const session = new BashSession({ cwd, env, start });
	const router = new BashRouter({
		session,
		sandboxManager: createSandboxManager({ sandbox, env, withoutSandbox, onUnavailable }),
		getCwd: () => cwd,
		handlers: {
			read: new ReadHandler(folders, env),
			write: new WriteHandler(folders),
			edit: new EditHandler(folders),
			TodoWrite: new TodoWriteHandler(env, onTodos),
			'task:': new TaskCommandHandler(createHeadlessAgent({ cwd, env })),
			'skill:': new SkillHandler({ project, cwd, env }),
			'mcp:': new McpHandler({ project, env }),
			'command:search': new SearchHandler({ project, env }),
		},
	});
	return { router, session };
}

/** The lasting shell is inside of the sandbox as well; where there is none, the same setting decides. */
async function startShell(sandbox: Sandbox, { cwd, withoutSandbox, onUnavailable }: ShellParts): Promise<ShellStart> {
	const bash = ['/bin/bash', '--norc', '--noprofile'];
	if (await sandbox.isAvailable()) return { ...sandbox.wrap(bash, cwd, ''), errors: 4 };
	const message = UNAVAILABLE[withoutSandbox];
	onUnavailable(message);
	if (withoutSandbox === 'refuse') return { refused: `signalbox: ${message}` };
	const [program = '', ...args] = bash;
	return { program, args, errors: 2, warning: `signalbox: ${message}\n` };
}

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
