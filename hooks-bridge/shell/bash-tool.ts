import { baseCommandOf } from '#lib/commands/shell-class.ts';
import type { BashRouter } from './bash-router.ts';
import type { CommandResult } from './command-result.ts';
import { type CancelablePromise, cancelable, underSignal } from './command-result.ts';

/** A model's call of the tool. */
export interface BashCall {
	command: string;
	/** Start the lasting shell again first. */
	restart?: boolean;
}

/** The result of a tool: `ToolError` of seed 003 is one with `isError`. */
export interface ToolResult {
	isError: boolean;
	/** What the model reads. */
	output: string;
	/** A few words for a list. */
	brief: string;
	/** For programs: `exitCode`, `baseCommand`, `failureCategory`, `type` and `resource` of a closed file. */
	extras?: Record<string, unknown>;
}

/** A tool of the name "Bash": one command at a call. */
export interface ShellTool {
	readonly name: string;
	readonly description: string;
	call(params: BashCall): CancelablePromise<ToolResult>;
}

/** The agent shell as a tool for a model. */
export class BashTool implements ShellTool {
	readonly name = 'Bash';
	readonly description = 'Runs one command of the agent shell; `command:search` lists what there is.';
	readonly #router: BashRouter;

	constructor(router: BashRouter) {
		this.#router = router;
	}

	call({ command, restart }: BashCall): CancelablePromise<ToolResult> {
		return cancelable(async (signal) => {
			if (command.trim() === '') return toolError('Empty command', 'The command is empty.');
			const misused = /^\s*Bash[\s(]/.test(command);
			if (misused)
				return toolError('Not a command', 'Bash is this tool: give the command alone, without "Bash" before it.');
			const result = await underSignal(this.#router.route(command, { ...(restart && { restart }) }), signal);
			return toolResult(command, result);
		});
	}
}

/** A call that failed. */
export function toolError(brief: string, output: string, extras?: Record<string, unknown>): ToolResult {
	return { isError: true, brief, output, ...(extras && { extras }) };
}

function toolResult(command: string, { stdout, stderr, exitCode, extras }: CommandResult): ToolResult {
	const output = [stdout.trimEnd(), stderr.trim() === '' ? '' : `[stderr]\n${stderr.trimEnd()}`]
		.filter(Boolean)
		.join('\n\n');
	const failure = exitCode === 0 ? {} : { failureCategory: failureOf(exitCode, stderr) };
	return {
		isError: exitCode !== 0 && extras?.type !== 'sandbox_blocked',
		output: output || '(no output)',
		brief: exitCode === 0 ? 'Done' : `Exit code ${exitCode}`,
		extras: { ...extras, baseCommand: baseCommandOf(command), exitCode, ...failure },
	};
}

function failureOf(exitCode: number, stderr: string): 'command_not_found' | 'invalid_usage' | 'execution_error' {
	if (exitCode === 127 || /command not found/i.test(stderr)) return 'command_not_found';
	return /usage:|(?:invalid|unrecognized|unknown) (?:option|argument)/i.test(stderr)
		? 'invalid_usage'
		: 'execution_error';
}
