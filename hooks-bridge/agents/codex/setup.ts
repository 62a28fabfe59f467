import { type AgentSetup, groupsOf } from '../agent-setup.ts';
import { codexTelemetry } from './telemetry.ts';

/** Codex: `hooks.json` in its own folder, in seconds. Its hooks run once they are trusted. */
export const codexSetup: AgentSetup = {
	program: 'codex',
	folder: { at: '.codex', variable: 'CODEX_HOME' },
	signs: ['.codex'],
	hooks: { file: 'hooks.json', groups: (entries) => groupsOf(entries) },
	trust: {
		file: 'config.toml',
		sign: (hooksFile) => `[hooks.state.${JSON.stringify(`${hooksFile}:pre_tool_use`).slice(0, -1)}`,
	},
	after: 'Codex skips hooks that nobody trusts, without a word: start it once and trust them with /hooks.',
	telemetry: codexTelemetry,
	limits: [
		'A hook that is not trusted is skipped in silence: trust it with /hooks in Codex, again after each change of its entry.',
		'`codex exec` asks nobody for permission, so its permission prompts never reach a hook.',
		'A failed command is recorded as one that ran.',
	],
};
