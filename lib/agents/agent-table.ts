import { SHELL_TOOL } from '../commands/shell-settings.ts';
import type { HookPoint } from './agent-hook.ts';
import type { DeedKind } from './tool-call.ts';

/** What a client lets a hook do, as seen with the real one. */
export interface AgentCapabilities {
	/** A denied call does not run, and the model reads why. */
	deny: boolean;
	ask: boolean;
	allow: boolean;
	edit: boolean;
	/** Change a call's input and keep the client's own prompt. */
	rewrites: boolean;
	/** Change the input when answering the client's own prompt. */
	editPrompt: boolean;
	stop: boolean;
	/** The longest observed wait for a hook, in seconds. */
	holdSeconds: number;
	/** The client's own limit, which applies even if its entry allows more. */
	longestSeconds?: number;
	/** After a failed hook; `as-entry-says` if a fail-closed entry was seen to work. */
	onFailure: 'runs' | 'as-entry-says';
	onKill: 'runs' | 'denied';
	reviews: boolean;
	callIds: boolean;
	/** A hook is asked before the client's own prompt and can answer it. */
	prompts: boolean;
	/** Events of their own, only the call that starts them, or no sub-agents. */
	subAgents: 'events' | 'call' | 'none';
}

export interface AgentRow {
	name: string;
	title: string;
	/** Versions of the real client, or documents alone. */
	seen: { run: string } | { read: string };
	tools: Readonly<Partial<Record<DeedKind, readonly string[]>>>;
	events: Readonly<Partial<Record<HookPoint, string>>>;
	can: AgentCapabilities;
}

/** Claude Code's names, which other clients adopted. */
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

const claudeCodeRow = {
	name: 'claude-code',
	title: 'Claude Code',
	seen: { run: '2.1.112 to 2.1.330' },
	tools: {
		'run-command': ['Bash'],
		'run-shell': [SHELL_TOOL],
		'edit-file': ['Write', 'Edit', 'MultiEdit', 'NotebookEdit'],
		// `Task` in older versions; `Workflow` runs a script of agents that the call does not name.
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

export const codexRow = {
	name: 'codex',
	title: 'Codex',
	seen: { run: '0.169.0' },
	tools: {
		'run-command': ['Bash'],
		'edit-file': ['apply_patch'],
		// The client prefixes the tool with its namespace.
		'start-agent': ['spawn_agent', 'collaborationspawn_agent'],
	},
	events: {
		...sharedEvents,
		interrupt: 'Interrupt',
	},
	can: denyAlone,
} as const satisfies AgentRow;

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
		// No hook can refuse the end of a turn.
		interrupt: 'session.idle',
		'turn-failure': 'session.error',
	},
	can: { ...denyAlone, onKill: 'denied' },
} as const satisfies AgentRow;

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
		interrupt: 'agent_end',
	},
	can: { ...denyAlone, onKill: 'denied', prompts: false, subAgents: 'none' },
} as const satisfies AgentRow;

/** A new client is a row here, and a folder in `hooks-bridge/agents`; everything else reads this table. */
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

export type AgentName = (typeof agentTable)[number]['name'];

/** The client of lines that name none. */
export const FIRST_AGENT: AgentName = 'claude-code';

export function isAgentName(text: unknown): text is AgentName {
	return agentTable.some(({ name }) => name === text);
}

/** A client's name for people. One that only another version knows is shown as recorded. */
export function agentTitle(name: string): string {
	return isAgentName(name) ? agentRow(name).title : name;
}

/** Null for a client that only another version knows: a timeline may name any. */
export function agentCan(name: string): AgentCapabilities | null {
	return isAgentName(name) ? agentRow(name).can : null;
}

export function agentRow(name: AgentName): AgentRow {
	const rows: readonly AgentRow[] = agentTable;
	return rows.find((row) => row.name === name) ?? agentTable[0];
}

/** What each of a client's tools does, by the tool's name. */
export function deedKindsOf({ tools }: AgentRow): ReadonlyMap<string, DeedKind> {
	const kinds = Object.entries(tools) as [DeedKind, readonly string[]][];
	return new Map(kinds.flatMap(([kind, names]) => names.map((name) => [name, kind])));
}

/** The point of each of a client's hooks, by the client's own name of it. */
export function hookPointsOf({ events }: AgentRow): ReadonlyMap<string, HookPoint> {
	return new Map(Object.entries(events).map(([point, name]) => [name, point as HookPoint]));
}
