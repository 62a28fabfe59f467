import type { AgentRow } from '../agent-row.ts';

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
	can: {
		deny: true,
		ask: false,
		allow: false,
		edit: true,
		holdSeconds: 130,
		onFailure: 'runs',
		callIds: false,
		prompts: false,
		subAgents: 'call',
	},
} as const satisfies AgentRow;
