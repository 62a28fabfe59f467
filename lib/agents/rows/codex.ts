import type { AgentRow } from '../agent-row.ts';

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
		interrupt: 'Interrupt',
	},
	can: {
		deny: true,
		ask: false,
		allow: false,
		edit: true,
		holdSeconds: 130,
		onFailure: 'runs',
		callIds: true,
		prompts: true,
		subAgents: 'events',
	},
} as const satisfies AgentRow;
