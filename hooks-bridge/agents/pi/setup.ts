import type { AgentSetup } from '../agent-setup.ts';
import { pluginText } from './plugin-text.ts';

/** pi: an extension of ours in its person's folder, which runs the hook. */
export const piSetup: AgentSetup = {
	program: 'pi',
	folder: { at: '.pi/agent', variable: 'PI_CODING_AGENT_DIR' },
	signs: ['.pi'],
	hooks: { file: 'extensions/signalbox.js', content: pluginText },
	limits: [
		'An extension of ours in the client runs the hook.',
		'The client has no permission prompts and no sub-agents of its own; those of other extensions are recorded as calls.',
		'The end of a turn is only recorded: neither the loop nor the routing plan can send the agent on.',
		'The client reports no interruption or kill, except SIGTERM.',
	],
};
