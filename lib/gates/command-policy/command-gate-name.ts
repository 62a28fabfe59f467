/** The name of this gate in verdicts, denials and approvals. */
export const COMMAND_GATE = 'command-policy';

/** The client's tools whose input is a command line, compared exactly. */
export const COMMAND_TOOLS = ['Bash'] as const;

const names: readonly string[] = COMMAND_TOOLS;

/** Whether a tool runs command lines. */
export function isCommandTool(tool: unknown): tool is string {
	return typeof tool === 'string' && names.includes(tool);
}
