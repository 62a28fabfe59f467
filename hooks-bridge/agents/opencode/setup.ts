import type { AgentSetup } from '../agent-setup.ts';
import { pluginText } from './plugin-text.ts';

/** OpenCode: a plugin of ours in its person's folder, which runs the hook. */
export const opencodeSetup: AgentSetup = {
	program: 'opencode',
	folder: { at: '.config/opencode', variable: 'XDG_CONFIG_HOME', below: 'opencode' },
	signs: ['.opencode', 'opencode.json', 'opencode.jsonc'],
	hooks: { file: 'plugins/signalbox.js', content: pluginText },
	limits: [
		'A plugin of ours in the client runs the hook, and notes what each answer took beside the client’s own data.',
		'The end of a turn is only recorded: neither the loop nor the routing plan can send the agent on.',
		'`opencode run` answers its own permission prompts before a hook can.',
		'The client cannot report that it was killed.',
	],
};
