import { SHELL_TOOL } from '../commands/shell-tool.ts';
import type { AgentCapabilities, AgentRow } from './agent-row.ts';

/** The names that Claude Code gave its events, where others took them over. */
const sharedEvents = {
	'session-start': 'SessionStart',
	'session-end': 'SessionEnd',
	compact: 'PreCompact',
	prompt: 'UserPromptSubmit',
	call: 'PreToolUse',
	result: 'PostToolUse',
	permission: 'PermissionRequest',
	'agent-start': 'SubagentStart',
	'agent-end': 'SubagentStop',
	'turn-end': 'Stop',
} as const satisfies AgentRow['events'];

/** What a hook can do at most makes: deny a call and change it. */
const denyAlone = {
	deny: true,
	ask: false,
	allow: false,
	edit: true,
	rewrites: true,
	editPrompt: false,
	stop: false,
	holdSeconds: 130,
	onFailure: 'as-entry-says',
	onKill: 'runs',
	reviews: false,
	callIds: true,
	prompts: true,
	subAgents: 'events',
} as const satisfies AgentRow['can'];

/** Claude Code. */
export const claudeCodeRow = {
	name: 'claude-code',
	title: 'Claude Code',
	seen: { run: '2.1.112 to 2.1.330' },
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
		...sharedEvents,
		failure: 'PostToolUseFailure',
		batch: 'PostToolBatch',
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
		rewrites: true,
		editPrompt: true,
		stop: true,
		holdSeconds: 600,
		onFailure: 'as-entry-says',
		onKill: 'denied',
		reviews: true,
		callIds: true,
		prompts: true,
		subAgents: 'events',
	},
} as const satisfies AgentRow;

/** Codex CLI of OpenAI. */
export const codexRow = {
	name: 'codex',
	title: 'Codex',
	seen: { run: '0.169.0' },
	tools: {
		'run-command': ['Bash'],
		'edit-file': ['apply_patch'],
		// The client glues a tool's namespace to its name.
		'start-agent': ['spawn_agent', 'collaborationspawn_agent'],
	},
	events: {
		...sharedEvents,
		interrupt: 'Interrupt',
	},
	can: denyAlone,
} as const satisfies AgentRow;

/** Gemini CLI of Google. */
export const geminiRow = {
	name: 'gemini',
	title: 'Gemini CLI',
	seen: { run: '0.61.0' },
	tools: {
		'run-command': ['run_shell_command'],
		'edit-file': ['write_file', 'replace'],
		'start-agent': ['invoke_agent'],
		'update-todos': ['write_todos'],
		'ask-person': ['ask_user'],
		'enter-plan-mode': ['enter_plan_mode'],
		'show-plan': ['exit_plan_mode'],
	},
	events: {
		'session-start': 'SessionStart',
		'session-end': 'SessionEnd',
		prompt: 'BeforeAgent',
		call: 'BeforeTool',
		result: 'AfterTool',
		'turn-end': 'AfterAgent',
		notice: 'Notification',
	},
	can: { ...denyAlone, stop: true, callIds: false, prompts: false, subAgents: 'call' },
} as const satisfies AgentRow;

/** Qwen Code. */
export const qwenRow = {
	name: 'qwen',
	title: 'Qwen Code',
	seen: { run: '0.24.4' },
	tools: {
		'run-command': ['run_shell_command'],
		'edit-file': ['write_file', 'edit'],
		'start-agent': ['agent', 'task'],
		'update-todos': ['todo_write'],
		'ask-person': ['ask_user_question'],
		'show-plan': ['exit_plan_mode'],
	},
	events: {
		...sharedEvents,
		failure: 'PostToolUseFailure',
		batch: 'PostToolBatch',
		notice: 'Notification',
		message: 'MessageDisplay',
	},
	can: { ...denyAlone, ask: true, edit: false, rewrites: false, holdSeconds: 55, longestSeconds: 60 },
} as const satisfies AgentRow;

/** Copilot CLI of GitHub. */
export const copilotRow = {
	name: 'copilot',
	title: 'Copilot CLI',
	seen: { run: '1.0.102' },
	tools: {
		'run-command': ['bash', 'write_bash'],
		'edit-file': ['create', 'edit', 'apply_patch'],
		'start-agent': ['task'],
		'ask-person': ['ask_user'],
	},
	events: {
		'session-start': 'sessionStart',
		'session-end': 'sessionEnd',
		prompt: 'userPromptSubmitted',
		call: 'preToolUse',
		result: 'postToolUse',
		failure: 'postToolUseFailure',
		permission: 'permissionRequest',
		'agent-start': 'subagentStart',
		'agent-end': 'subagentStop',
		'turn-end': 'agentStop',
		notice: 'notification',
	},
	can: { ...denyAlone, onKill: 'denied', ask: true, allow: true, rewrites: false, callIds: false },
} as const satisfies AgentRow;

/** Cursor, by its documents. */
export const cursorRow = {
	name: 'cursor',
	title: 'Cursor',
	seen: { read: 'its documents of hooks, 2026-11' },
	tools: {
		'run-command': ['Shell'],
		'edit-file': ['Write', 'StrReplace', 'Delete', 'EditNotebook'],
		'start-agent': ['Task'],
		'update-todos': ['TodoWrite'],
		'ask-person': ['AskQuestion'],
	},
	events: {
		'session-start': 'sessionStart',
		'session-end': 'sessionEnd',
		compact: 'preCompact',
		prompt: 'beforeSubmitPrompt',
		call: 'preToolUse',
		result: 'postToolUse',
		failure: 'postToolUseFailure',
		'turn-end': 'stop',
	},
	can: { ...denyAlone, onFailure: 'runs', rewrites: false, prompts: false, subAgents: 'call' },
} as const satisfies AgentRow;

/** OpenCode, by a plugin of ours that talks to the door. */
export const opencodeRow = {
	name: 'opencode',
	title: 'OpenCode',
	seen: { run: '1.18.33' },
	tools: {
		'run-command': ['bash'],
		'edit-file': ['write', 'edit', 'patch', 'apply_patch'],
		'start-agent': ['task'],
		'update-todos': ['todowrite'],
		'ask-person': ['question'],
	},
	events: {
		'session-start': 'session.created',
		'session-end': 'dispose',
		prompt: 'chat.message',
		call: 'tool.execute.before',
		result: 'tool.execute.after',
		'agent-start': 'agent.created',
		'agent-end': 'agent.idle',
		permission: 'permission.asked',
		// Nobody is asked whether a turn may end.
		interrupt: 'session.idle',
		'turn-failure': 'session.error',
	},
	can: { ...denyAlone, onKill: 'denied' },
} as const satisfies AgentRow;

/** pi, by an extension of ours that talks to the door. */
export const piRow = {
	name: 'pi',
	title: 'pi',
	seen: { run: '0.73.1' },
	tools: {
		'run-command': ['bash'],
		'edit-file': ['write', 'edit'],
	},
	events: {
		'session-start': 'session_start',
		'session-end': 'session_shutdown',
		compact: 'session_compact',
		prompt: 'before_agent_start',
		call: 'tool_call',
		result: 'tool_result',
		failure: 'tool_error',
		// Nobody is asked whether a turn may end.
		interrupt: 'agent_end',
	},
	can: { ...denyAlone, onKill: 'denied', prompts: false, subAgents: 'none' },
} as const satisfies AgentRow;

/**
 * Every make of agent: commands, labels, filters and documents read this table. A new one is a row here, and a folder
 * with its line in `hooks-bridge/agents`.
 */
export const agentTable = [
	claudeCodeRow,
	codexRow,
	geminiRow,
	qwenRow,
	copilotRow,
	opencodeRow,
	cursorRow,
	piRow,
] as const satisfies readonly AgentRow[];

/** The name of a make of agent. */
export type AgentName = (typeof agentTable)[number]['name'];

/** The agent that speaks where nobody says which: the first that was there. */
export const FIRST_AGENT: AgentName = 'claude-code';

/** Whether a text names a make of agent. */
export function isAgentName(text: unknown): text is AgentName {
	return agentTable.some(({ name }) => name === text);
}

/** What people call an agent; one that only another version knows has its own name alone. */
export function agentTitle(name: string): string {
	return isAgentName(name) ? agentRow(name).title : name;
}

/** What a client lets a hook do; null where only another version knows it. */
export function agentCan(name: string): AgentCapabilities | null {
	return isAgentName(name) ? agentRow(name).can : null;
}

/** The row of an agent. */
export function agentRow(name: AgentName): AgentRow {
	const rows: readonly AgentRow[] = agentTable;
	return rows.find((row) => row.name === name) ?? agentTable[0];
}
