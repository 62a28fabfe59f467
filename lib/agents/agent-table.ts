import { SHELL_TOOL } from '../commands/shell-tool.ts';
import type { HookPoint } from './agent-hook.ts';
import type { DeedKind } from './tool-call.ts';

/** What a client lets a hook do, as seen with the real one. */
export interface AgentCapabilities {
	/** A denied call does not run, and the model reads why. */
	deny: boolean;
	/** A hook can have the person at the terminal asked. */
	ask: boolean;
	/** A hook can let a call run without the client's own prompt. */
	allow: boolean;
	/** A hook can change a call's input. */
	edit: boolean;
	/** How long a hook may wait, in seconds. */
	holdSeconds: number;
	/** The client waits for no hook longer than this, in seconds, whatever its entry says. */
	longestSeconds?: number;
	/** What becomes of a call whose hook fails: `blocks` only where an entry says so. */
	onFailure: 'runs' | 'blocks' | 'as-entry-says';
	/** Each call has an id of the client's own. */
	callIds: boolean;
}

/** One make of agent, as everybody but its adapter sees it. */
export interface AgentRow {
	/** Its name in commands, addresses and events. */
	name: string;
	/** Its name for people. */
	title: string;
	/** Its names of the tools whose calls mean something to gates, by what they do. Compared exactly. */
	tools: Readonly<Partial<Record<DeedKind, readonly string[]>>>;
	/** Its names of the events at which gates are asked. */
	events: Readonly<Partial<Record<HookPoint, string>>>;
	can: AgentCapabilities;
}

/**
 * Every make of agent: commands, labels, filters and documents read this table. A new one is a row here and a folder
 * in `hooks-bridge/agents`.
 */
export const agentTable = [
	{
		name: 'claude-code',
		title: 'Claude Code',
		tools: {
			'run-command': ['Bash'],
			'run-shell': [SHELL_TOOL],
			'edit-file': ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
			// `Task` in older ones and in seed 000; `Workflow` runs a script of agents, none of which is named in the call.
			'start-agent': ['Agent', 'Task', 'Workflow'],
			'use-skill': ['Skill'],
			'update-todos': ['TodoWrite'],
			'complete-task': ['TaskUpdate'],
			'ask-person': ['AskUserQuestion'],
			'enter-plan-mode': ['EnterPlanMode'],
			'show-plan': ['ExitPlanMode'],
		},
		events: {
			'session-start': 'SessionStart',
			'session-end': 'SessionEnd',
			compact: 'PreCompact',
			prompt: 'UserPromptSubmit',
			call: 'PreToolUse',
			result: 'PostToolUse',
			failure: 'PostToolUseFailure',
			batch: 'PostToolBatch',
			permission: 'PermissionRequest',
			'agent-start': 'SubagentStart',
			'agent-end': 'SubagentStop',
			'turn-end': 'Stop',
			'turn-failure': 'StopFailure',
			'task-end': 'TaskCompleted',
			notice: 'Notification',
			message: 'MessageDisplay',
		},
		can: {
			deny: true,
			ask: true,
			allow: true,
			edit: true,
			holdSeconds: 600,
			onFailure: 'as-entry-says',
			callIds: true,
		},
	},
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
