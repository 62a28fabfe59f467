import type { AgentRow } from './agent-row.ts';
import { claudeCodeRow } from './rows/claude-code.ts';
import { codexRow } from './rows/codex.ts';
import { copilotRow } from './rows/copilot.ts';
import { geminiRow } from './rows/gemini.ts';
import { opencodeRow } from './rows/opencode.ts';
import { qwenRow } from './rows/qwen.ts';

/**
 * Every make of agent: commands, labels, filters and documents read this table. A new one is a row here and a folder
 * in `hooks-bridge/agents`.
 */
export const agentTable = [
	claudeCodeRow,
	codexRow,
	geminiRow,
	qwenRow,
	copilotRow,
	opencodeRow,
] as const satisfies readonly AgentRow[];

/** The name of a make of agent. */
export type AgentName = (typeof agentTable)[number]['name'];

/** The agent that speaks where nobody says which: the first that was there. */
export const FIRST_AGENT: AgentName = 'claude-code';

/** Whether a text names a make of agent. */
export function isAgentName(text: unknown): text is AgentName {
	return agentTable.some(({ name }) => name === text);
}

/** The row of an agent. */
export function agentRow(name: AgentName): AgentRow {
	const rows: readonly AgentRow[] = agentTable;
	return rows.find((row) => row.name === name) ?? agentTable[0];
}
