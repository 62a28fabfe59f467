import { hookEntries } from '../hook-entries.ts';
import { agentFiles } from './agent-files.ts';
import { skillFiles } from './skill-files.ts';

/** The plugin's name, the prefix of its commands: /ot:auto. */
export const PLUGIN = 'ot';
/** The name under which the client knows the folder that holds it. */
export const MARKETPLACE = 'signalbox';
/** How settings files name the plugin. */
export const PLUGIN_ID = `${PLUGIN}@${MARKETPLACE}`;

const ABOUT = 'Workflows of 16 stages with an agent each, and the hooks that let Signalbox watch and guide a session.';

const README = `# ot

${ABOUT}

\`/ot:auto\` chooses a workflow for the request, \`/ot:stop\` stops it, and \`/ot:standard\` and the others start one themselves.
Every stage has an agent of its own; the hooks hold the order of the stages and read the verdict of each agent. \`/ot:sh\` tells the
agent about the agent shell, \`signalbox sh\`.

The folder is written by \`signalbox init --plugin\` and rewritten with each version: changes here are lost. On a machine
without Signalbox the hooks do nothing.
`;

function json(value: unknown): string {
	return `${JSON.stringify(value, null, 2)}\n`;
}

/** The whole plugin folder with its marketplace, by path. `holdSeconds` is how long a call may wait for a person. */
export function pluginFiles(holdSeconds: number): Record<string, string> {
	const owner = { name: 'Signalbox' };
	const files: Record<string, string> = {
		'.claude-plugin/plugin.json': json({
			name: PLUGIN,
			description: ABOUT,
			author: owner,
			license: 'UNLICENSED',
		}),
		'hooks/hooks.json': json({ description: ABOUT, hooks: hookEntries(holdSeconds) }),
		'README.md': README,
		...skillFiles(),
		...agentFiles(),
	};
	return {
		'.claude-plugin/marketplace.json': json({
			name: MARKETPLACE,
			owner,
			description: 'The plugin of the Signalbox on this machine.',
			plugins: [{ name: PLUGIN, source: `./${PLUGIN}`, description: ABOUT }],
		}),
		...Object.fromEntries(Object.entries(files).map(([path, text]) => [`${PLUGIN}/${path}`, text])),
	};
}
