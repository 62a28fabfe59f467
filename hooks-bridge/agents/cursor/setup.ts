import { cursorRow } from '#lib/agents/agent-table.ts';
import type { AgentSetup } from '../agent-setup.ts';

/** Cursor: its person's hooks, in seconds; a file with hooks of others is refused. */
export const cursorSetup: AgentSetup = {
	program: 'cursor-agent',
	folder: { at: '.cursor' },
	signs: ['.cursor', '.cursorrules'],
	hooks: {
		file: 'hooks.json',
		content: (entries) => {
			const hooks = entries.map(({ event, command, seconds }) => [
				event,
				// The client's limit does not apply: the workflow's loop has its own.
				[{ command, timeout: seconds, ...(event === cursorRow.events['turn-end'] && { loop_limit: null }) }],
			]);
			return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
		},
	},
	limits: [
		'Adapter and examples are written from its documents; nobody has run them against the client.',
		'No hook tells that the client asks its person: such a wait looks like a long call.',
		'It also runs the hooks of .claude/settings.json where its person lets it: each call would be recorded twice.',
		'A call whose hook fails or runs into its timeout runs.',
	],
};
