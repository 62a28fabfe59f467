/** The names under which clients offer the sub-agent tool: `Agent` today, `Task` in older ones and in seed 000. */
export const SUBAGENT_TOOLS: readonly string[] = ['Agent', 'Task'];

/** The tool that runs a script of sub-agents; none of them is named in the call. */
export const WORKFLOW_TOOL = 'Workflow';

/** The tool that runs a skill, which may have an agent of its own. */
export const SKILL_TOOL = 'Skill';

/** The agent that the client starts where a call names none. */
export const GENERAL_AGENT = 'general-purpose';

/** Whether a tool call asks for a sub-agent. Compared exactly, as the seed does. */
export function isSubagentTool(tool: unknown): boolean {
	return typeof tool === 'string' && SUBAGENT_TOOLS.includes(tool);
}

/**
 * The agent that a `subagent_type` names (seed 000): the text after the last colon, trimmed and in lower
 * case. Gives null when none is named; names beyond 200 characters are cut.
 */
export function agentNameOf(subagentType: unknown): string | null {
	if (typeof subagentType !== 'string') return null;
	const name = subagentType
		.slice(subagentType.lastIndexOf(':') + 1)
		.trim()
		.toLowerCase()
		.slice(0, 200);
	return name === '' ? null : name;
}
