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

/** Every make but the first, which every hook has at hand. */
export type OtherName = Exclude<AgentName, 'claude-code'>;

const adapters: Readonly<Record<OtherName, AgentAdapter>> = { codex, gemini, qwen, copilot, opencode, cursor, pi };

const setups: Readonly<Record<OtherName, AgentSetup>> = {
	codex: codexSetup,
	gemini: geminiSetup,
	qwen: qwenSetup,
	copilot: copilotSetup,
	opencode: opencodeSetup,
	cursor: cursorSetup,
	pi: piSetup,
};

/** The adapter of such a make, which the fallback alone has at hand (scripts/bundle-hook.mjs). */
export function otherAdapter(agent: OtherName): AgentAdapter {
	return adapters[agent];
}

/** How such a make is found and set up; no hook has this. */
export function otherSetup(agent: OtherName): AgentSetup {
	return setups[agent];
}
