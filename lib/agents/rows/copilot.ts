import type { AgentRow } from '../agent-row.ts';

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
	can: {
		deny: true,
		ask: true,
		allow: true,
		edit: true,
		holdSeconds: 130,
		onFailure: 'blocks',
		callIds: false,
		prompts: true,
		subAgents: 'events',
	},
} as const satisfies AgentRow;
