import type { CommandDenial, CommandPolicy } from '#lib/commands/command-policy.ts';
import { judgeLine } from '#lib/commands/judge-line.ts';
import { afterFirstWord } from '#lib/commands/shell-class.ts';
import { helpOf, wantsHelp } from '#lib/commands/shell-help.ts';
import { SHELL_TOOL, type ShellEnv } from '#lib/commands/shell-settings.ts';
import { readTodos, type Todo, todoSummary } from '#lib/commands/todo-list.ts';
import type { DraftEvent } from '#lib/contract/events/event.ts';
import { clip } from '#lib/text/printable.ts';
import { contentId } from '../engine/draft-events.ts';
import { BashRouter } from './bash-router.ts';
import { BashSession, type ShellStart } from './bash-session.ts';
import { type BashCall, BashTool, type ShellTool, type ToolResult, toolError } from './bash-tool.ts';
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
import { McpHandler } from './extend/mcp-handler.ts';
import { SearchHandler } from './extend/search-handler.ts';
import { SkillHandler } from './extend/skill-handler.ts';
import { allowedFolders } from './files/allowed-folders.ts';
import { EditHandler, ReadHandler, WriteHandler } from './files/file-commands.ts';
import { createHeadlessAgent, TASK_EXCLUDE, TaskCommandHandler } from './headless-agent.ts';
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
import { createSandboxManager, UNAVAILABLE, type WithoutSandbox } from './sandbox/sandbox-manager.ts';
import { ShellCall, type ShellService } from './shell-call.ts';

export { createNodePorts } from '../node/node-ports.ts';
export { BashRouter } from './bash-router.ts';
export { BashSession } from './bash-session.ts';
export { BashTool } from './bash-tool.ts';
export { TaskCommandHandler } from './headless-agent.ts';

/** The service, and what the machine offers and allows. */
export interface AgentShellOptions extends ShellService {
	withoutSandbox: WithoutSandbox;
	/** bubblewrap's name or path. */
	bubblewrap?: string;
	/** Called with what is wrong beside a command: no sandbox, a timeline that cannot be written. */
	onWarning?: (message: string) => void;
}

/** The agent shell: every line is judged, run by the handler for it, and recorded on the session's timeline. */
export interface AgentShell {
	/** Never rejects. Exit code 126: the line did not run. */
	run(line: string, options?: RunOptions & { restart?: boolean }): CancelablePromise<CommandResult>;
	/** The shell's commands as a tool for a model, without judging or recording. */
	tool: BashTool;
	/** Ends the lasting shell. */
	close(): Promise<void>;
}

const MAX_COMMAND = 4000;
const MAX_REASON = 1000;

export function createAgentShell(options: AgentShellOptions): AgentShell {
	const shell = new JudgedShell(options);
	return {
		run: (line, how) => cancelable((signal) => shell.run(line, how ?? {}, signal)),
		tool: new BashTool(shell.router),
		close: () => shell.close(),
	};
}

class JudgedShell {
	readonly router: BashRouter;
	readonly close: () => Promise<void>;
	readonly #options: AgentShellOptions;
	/** Events that commands report beside their result; recorded with it. */
	#recorded: DraftEvent[] = [];
	/** A person has allowed the running line: it may start programs that are excluded otherwise. */
	#isAllowed = false;

	constructor(options: AgentShellOptions) {
		this.#options = options;
		const { router, session } = createShellRouter({
			...options,
			excluded: () => (this.#isAllowed ? [] : options.exclude),
			onTodos: (todos) => this.#recorded.push(todoEvent(todos)),
			onUnavailable: (message) => this.#warnOnce(message),
		});
		this.router = router;
		this.close = () => session.close();
	}

	async run(line: string, how: RunOptions & { restart?: boolean }, signal: AbortSignal): Promise<CommandResult> {
		try {
			const call = new ShellCall(this.#options, line);
			const exclude = (this.#options.env[TASK_EXCLUDE] ?? '').split(',').filter(Boolean);
			const refused = judgeLine(line, { exclude });
			if (refused.decision === 'deny') {
				const reason = `${refused.reason}: this agent was started for a task that does without it`;
				return this.#block(call, line, reason, taskVerdict(line, { ...refused, reason }));
			}
			const verdict = await call.judge(signal);
			if (!verdict) return failed('Command execution interrupted.', SHELL_EXIT.cancelled);
			if (verdict.decision === 'deny') return this.#block(call, line, verdict.reason);
			if (verdict.allowed) this.#options.onAllowed?.(verdict.allowed, verdict.line === line ? undefined : verdict.line);
			return await this.#perform(call, verdict.line, this.#coveredBy(verdict.allowed !== undefined, how), signal);
		} catch (error) {
			return failed(`Command execution failed: ${error instanceof Error ? error.message : String(error)}`);
		}
	}

	/** Restarts the lasting shell if the programs that it may start change. */
	#coveredBy(isAllowed: boolean, how: RunOptions & { restart?: boolean }): RunOptions & { restart?: boolean } {
		const changes = this.#isAllowed !== isAllowed;
		this.#isAllowed = isAllowed;
		return changes ? { ...how, restart: true } : how;
	}

	async #perform(
		call: ShellCall,
		line: string,
		how: RunOptions & { restart?: boolean },
		signal: AbortSignal,
	): Promise<CommandResult> {
		const { now } = this.#options.ports;
		const began = now();
		const result = await underSignal(this.router.route(line, how), signal);
		const command = clip(line, MAX_COMMAND);
		const ran: DraftEvent = { type: 'command:run', command, exitCode: result.exitCode, durationMs: now() - began };
		this.#record(call, [...this.#recorded.splice(0), ran]);
		return result;
	}

	/** `before`: events of the call that are not recorded yet. */
	#block(call: ShellCall, line: string, reason: string, before: readonly DraftEvent[] = []): CommandResult {
		const met = judgeLine(line, this.#options);
		const pattern = met.decision === 'deny' && met.pattern !== '' ? { pattern: met.pattern } : {};
		const fields = { command: clip(line, MAX_COMMAND), reason: clip(reason, MAX_REASON), ...pattern };
		this.#record(call, [...before, { type: 'command:block', ...fields }]);
		return failed(`Command blocked: ${reason}`, SHELL_EXIT.notRun);
	}

	/** Once a session, since every command of it is a new process with the same problem. */
	#warnOnce(message: string): void {
		const { ports, sessionId } = this.#options;
		const id = contentId(ports, ['sandbox', sessionId, message]);
		if (ports.recorded(sessionId, [id])) return;
		this.#recorded.push({ type: 'system:warning', id, code: 'sandbox/unavailable', message });
	}

	/** An unwritable timeline is reported; the result of a command that has run remains. */
	#record(call: ShellCall, drafts: readonly DraftEvent[]): void {
		try {
			call.record(drafts);
		} catch (error) {
			const why = error instanceof Error ? error.message : String(error);
			this.#options.onWarning?.(`the command could not be recorded: ${why}`);
		}
	}
}

function todoEvent(todos: readonly Todo[]): DraftEvent {
	return { type: 'todo:update', todos: todos.map((todo) => ({ ...todo })) };
}

/** The call and why it was refused, in the form of a gate's verdict, since no gate was asked. */
function taskVerdict(line: string, { reason, pattern, command, argv }: CommandDenial): DraftEvent[] {
	const facts = { command, pattern, argv };
	return [
		{ type: 'tool:call', tool: SHELL_TOOL, input: { command: line } },
		{
			type: 'gate:verdict',
			gate: 'task-access',
			decision: 'deny',
			rule: 'task.access',
			reason,
			facts,
			hook: 'PreToolUse',
		},
	];
}

/**
 * A Bash tool that refuses some commands (seed 003): `task:` in `exclude` is every command that begins so, `edit` only that name.
 * Judges what would really run, also behind `bash`, `env` or `;`. All others go to the delegate unchanged.
 */
export class RestrictedBashTool implements ShellTool {
	readonly name = 'Bash';
	readonly description: string;
	readonly #delegate: ShellTool;
	readonly #policy: CommandPolicy;
	readonly #agentType: string;

	constructor(delegate: ShellTool, options: CommandPolicy & { agentType: string }) {
		this.#delegate = delegate;
		this.#policy = options;
		this.#agentType = options.agentType;
		this.description = delegate.description;
	}

	call(params: BashCall): CancelablePromise<ToolResult> {
		const judgement = judgeLine(params.command, this.#policy);
		if (judgement.decision === 'pass') return this.#delegate.call(params);
		const { command, pattern, reason, rule } = judgement;
		const why = rule === 'command.excluded' ? `${command} is not allowed` : reason;
		const message = `Command blocked: ${why} (for ${this.#agentType} agents).`;
		return cancelable(async () => toolError('Command blocked', message, { baseCommand: command, pattern }));
	}
}

/** What the shell's commands need. */
interface ShellParts {
	/** The state root, which stays closed to commands. */
	home: string;
	project: string;
	cwd: string;
	env: ShellEnv;
	/** Programs that nothing in the sandbox may start; read for each command. */
	excluded: () => readonly string[];
	withoutSandbox: WithoutSandbox;
	/** bubblewrap's name or path. */
	bubblewrap?: string;
	onTodos: (todos: readonly Todo[]) => void;
	onUnavailable: (message: string) => void;
}

/** Every command of the agent shell on a real machine, and its lasting shell, which the caller closes. */
function createShellRouter(parts: ShellParts): { router: BashRouter; session: BashSession } {
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

/** The lasting shell is also inside the sandbox; without a sandbox the same setting decides. */
async function startShell(sandbox: Sandbox, { cwd, withoutSandbox, onUnavailable }: ShellParts): Promise<ShellStart> {
	const bash = ['/bin/bash', '--norc', '--noprofile'];
	if (await sandbox.isAvailable()) return { ...sandbox.wrap(bash, cwd, ''), errors: 4 };
	const message = UNAVAILABLE[withoutSandbox];
	onUnavailable(message);
	if (withoutSandbox === 'refuse') return { refused: `signalbox: ${message}` };
	const [program = '', ...args] = bash;
	return { program, args, errors: 2, warning: `signalbox: ${message}\n` };
}

/** `TodoWrite`: checks a whole list and passes it on. Limits are read from the environment at each call. */
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
