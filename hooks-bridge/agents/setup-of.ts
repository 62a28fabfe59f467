import type { AgentName } from '#lib/agents/agent-table.ts';
import type { AgentSetup } from './agent-setup.ts';
import { claudeCodeSetup } from './claude-code/setup.ts';
import { codexSetup } from './codex/setup.ts';
import { copilotSetup } from './copilot/setup.ts';
import { geminiSetup } from './gemini/setup.ts';
import { opencodeSetup } from './opencode/setup.ts';
import { qwenSetup } from './qwen/setup.ts';

const setups: Readonly<Record<AgentName, AgentSetup>> = {
	'claude-code': claudeCodeSetup,
	codex: codexSetup,
	gemini: geminiSetup,
	qwen: qwenSetup,
	copilot: copilotSetup,
	opencode: opencodeSetup,
};

/** How a make of agent is found and set up. */
export function setupOf(agent: AgentName): AgentSetup {
	return setups[agent];
}
