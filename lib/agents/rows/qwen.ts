import type { AgentRow } from '../agent-row.ts';

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
		notice: 'Notification',
		message: 'MessageDisplay',
	},
	can: {
		deny: true,
		ask: true,
		allow: false,
		edit: false,
		holdSeconds: 55,
		longestSeconds: 60,
		onFailure: 'runs',
		callIds: true,
		prompts: true,
		subAgents: 'events',
	},
} as const satisfies AgentRow;
