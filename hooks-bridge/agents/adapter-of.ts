import { type AgentName, FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { claudeCode } from './claude-code/claude-code.ts';

const adapters: Readonly<Record<AgentName, AgentAdapter>> = { 'claude-code': claudeCode };

/** The adapter of an agent; of an unknown one, from a record of another version, that of the first. */
export function adapterOf(agent: string = FIRST_AGENT): AgentAdapter {
	return adapters[isAgentName(agent) ? agent : FIRST_AGENT];
}
