import { type AgentSetup, groupsOf } from '../agent-setup.ts';
import { geminiTelemetry } from '../gemini/telemetry.ts';

/** Qwen Code: its settings, in seconds. */
export const qwenSetup: AgentSetup = {
	program: 'qwen',
	folder: { at: '.qwen', variable: 'QWEN_HOME' },
	signs: ['.qwen'],
	hooks: { file: 'settings.json', groups: (entries) => groupsOf(entries) },
	telemetry: geminiTelemetry('qwen', 'qwen-code.'),
	limits: [
		'The client gives every hook 60 seconds at most, so nobody is waited for longer than about 50.',
		'Headless, an ask is a denial.',
		'Headless, a session ends with its turn: no hook tells its end.',
	],
};
