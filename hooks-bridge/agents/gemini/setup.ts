import { type AgentSetup, groupsOf } from '../agent-setup.ts';
import { geminiTelemetry } from './telemetry.ts';

/** Gemini CLI: its settings, in milliseconds. */
export const geminiSetup: AgentSetup = {
	program: 'gemini',
	folder: { at: '.gemini' },
	signs: ['.gemini'],
	hooks: { file: 'settings.json', groups: (entries) => groupsOf(entries, 1000, 'signalbox') },
	telemetry: geminiTelemetry('gemini', 'gemini_cli.'),
	limits: [
		'A sub-agent is recorded as a call; what happens inside it is recorded as the main agent’s, and denials apply there too.',
		'The permission prompt in the terminal cannot be answered from outside; a person sees that it is open.',
		'A changed input is merged into the agent’s own: fields can be replaced, not taken away.',
		'The client does not report that a person stopped a turn.',
	],
};
