import { FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { type OtherName, otherAdapter } from './other-makes.ts';

/** Adapter of a client. Unknown names, from records of other versions, get that of Claude Code. */
export function adapterOf(agent: string = FIRST_AGENT): AgentAdapter {
	return agent === 'claude-code' || !isAgentName(agent) ? claudeCode : otherAdapter(agent as OtherName);
}
