/** The agent that the client starts where a call names none. */
export const GENERAL_AGENT = 'general-purpose';

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
