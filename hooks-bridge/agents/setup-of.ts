import type { AgentName } from '#lib/agents/agent-table.ts';
import type { AgentSetup } from './agent-setup.ts';
import { claudeCodeSetup } from './claude-code/setup.ts';
import { otherSetup } from './other-makes.ts';

/** How a make of agent is found and set up. */
export function setupOf(agent: AgentName): AgentSetup {
	return agent === 'claude-code' ? claudeCodeSetup : otherSetup(agent);
}
