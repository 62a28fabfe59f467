import { SHELL_TOOL } from '../../commands/shell-tool.ts';

/** The name of this gate in verdicts, denials and approvals. */
export const COMMAND_GATE = 'command-policy';

/** The tools whose input is a command line, compared exactly: the client's and the agent shell's. */
export const COMMAND_TOOLS = ['Bash', SHELL_TOOL] as const;

const names: readonly string[] = COMMAND_TOOLS;

/** Whether a tool runs command lines. */
export function isCommandTool(tool: unknown): tool is string {
	return typeof tool === 'string' && names.includes(tool);
}
