import type { AgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import { codex } from './codex/codex.ts';
import { copilot } from './copilot/copilot.ts';
import { gemini } from './gemini/gemini.ts';
import { opencode } from './opencode/opencode.ts';
import { qwen } from './qwen/qwen.ts';

const adapters: Readonly<Record<Exclude<AgentName, 'claude-code'>, AgentAdapter>> = {
	codex,
	gemini,
	qwen,
	copilot,
	opencode,
};

/** The adapter of every make but the first, which the fallback alone has at hand (scripts/bundle-hook.mjs). */
export function otherAdapter(agent: Exclude<AgentName, 'claude-code'>): AgentAdapter {
	return adapters[agent];
}
