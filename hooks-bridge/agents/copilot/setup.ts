import type { AgentSetup } from '../agent-setup.ts';
import { copilotTelemetry } from './telemetry.ts';

/** Copilot CLI: a file of ours among its person's hooks, in seconds. */
export const copilotSetup: AgentSetup = {
	program: 'copilot',
	folder: { at: '.copilot', variable: 'COPILOT_HOME' },
	signs: ['.github/hooks', '.github/copilot-instructions.md'],
	hooks: {
		file: 'hooks/signalbox.json',
		content: (entries) => {
			const hooks = entries.map(({ event, command, seconds }) => [
				event,
				[{ type: 'command', bash: command, timeoutSec: seconds }],
			]);
			return `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
		},
	},
	telemetry: copilotTelemetry,
	limits: [
		'Headless, an ask is a denial.',
		'A call whose hook runs into its timeout runs; a fail-closed entry ends before that.',
		'It asks for permission where all tools are allowed, too: with a page open each call waits for a person here, unless gates.permissionRequest.hold is false.',
		'In a folder that it trusts it also runs the hooks of .claude/settings.json: each call would be recorded twice.',
		'That a person stopped a turn with Esc is read in its transcript alone, some seconds later.',
	],
};
