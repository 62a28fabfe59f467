import type { CommandPolicy } from '#lib/commands/command-policy.ts';
import { judgeLine } from '#lib/commands/judge-line.ts';
import { type BashCall, type ShellTool, type ToolResult, toolError } from './bash-tool.ts';
import { type CancelablePromise, cancelable } from './cancelable.ts';

/**
 * A Bash tool that refuses some commands (seed 003). `exclude` names them: `task:` is everything that starts so, `edit`
 * only that name. What the line would really run counts, also behind `bash`, `env` or a `;`. A refused call never
 * reaches the delegate; any other is the delegate's own, with its extras and its `cancel`.
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
