import { FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { otherAdapter } from './other-makes.ts';

/** Adapter of a client. Unknown names, from records of other versions, get that of Claude Code. */
export function adapterOf(agent: string = FIRST_AGENT): AgentAdapter {
	if (!isAgentName(agent) || agent === 'claude-code') return claudeCode;
	return otherAdapter(agent);
}
