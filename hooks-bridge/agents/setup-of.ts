import type { AgentName } from '#lib/agents/agent-table.ts';
import type { AgentSetup } from './agent-setup.ts';
import { claudeCodeSetup } from './claude-code/setup.ts';
import { otherSetup } from './other-makes.ts';

/** Setup of a client. */
export function setupOf(agent: AgentName): AgentSetup {
	return agent === 'claude-code' ? claudeCodeSetup : otherSetup(agent);
}
