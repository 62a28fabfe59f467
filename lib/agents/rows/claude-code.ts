import { SHELL_TOOL } from '../../commands/shell-tool.ts';
import type { AgentRow } from '../agent-row.ts';

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
		prompts: true,
		subAgents: 'events',
	},
} as const satisfies AgentRow;
