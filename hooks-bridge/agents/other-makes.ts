import type { AgentName } from '#lib/agents/agent-table.ts';
import type { AgentAdapter } from './agent-adapter.ts';
import type { AgentSetup } from './agent-setup.ts';
import { codex } from './codex/codex.ts';
import { codexSetup } from './codex/setup.ts';
import { copilot } from './copilot/copilot.ts';
import { copilotSetup } from './copilot/setup.ts';
import { cursor } from './cursor/cursor.ts';
import { cursorSetup } from './cursor/setup.ts';
import { gemini } from './gemini/gemini.ts';
import { geminiSetup } from './gemini/setup.ts';
import { opencode } from './opencode/opencode.ts';
import { opencodeSetup } from './opencode/setup.ts';
import { pi } from './pi/pi.ts';
import { piSetup } from './pi/setup.ts';
import { qwen } from './qwen/qwen.ts';
import { qwenSetup } from './qwen/setup.ts';

/** All clients but Claude Code, whose adapter every hook loads. */
export type OtherName = Exclude<AgentName, 'claude-code'>;

const adapters: Readonly<Record<OtherName, AgentAdapter>> = { codex, gemini, qwen, copilot, opencode, cursor, pi };

/** Their setups; no hook bundles them. */
export const otherSetups: Readonly<Record<OtherName, AgentSetup>> = {
	codex: codexSetup,
	gemini: geminiSetup,
	qwen: qwenSetup,
	copilot: copilotSetup,
	opencode: opencodeSetup,
	cursor: cursorSetup,
	pi: piSetup,
};

/** Their adapters; only the fallback bundles them (scripts/bundle-hook.mjs). */
export function otherAdapter(agent: OtherName): AgentAdapter {
	return adapters[agent];
}
