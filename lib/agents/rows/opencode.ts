import type { AgentRow } from '../agent-row.ts';

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
