import { FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { otherAdapter } from './other-makes.ts';

/** The adapter of an agent; of an unknown one, from a record of another version, that of the first. */
export function adapterOf(agent: string = FIRST_AGENT): AgentAdapter {
	if (!isAgentName(agent) || agent === 'claude-code') return claudeCode;
	return otherAdapter(agent);
}
