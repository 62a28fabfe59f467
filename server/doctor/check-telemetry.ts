import { agentTable } from '#lib/agents/agent-table.ts';
import { telemetryState } from '../connect/otlp/switch-telemetry.ts';
import { findTelemetryToken, telemetryTarget } from '../connect/otlp/telemetry-token.ts';
import { SettingsRefused } from '../setup/merge-settings.ts';
import type { Check, SetUp } from './check.ts';

/** Which makes send their telemetry here, and whether it arrives; nothing of those that do not. */
export async function checkTelemetry({ project, home, env }: SetUp): Promise<Check[]> {
	if (findTelemetryToken(home) === undefined) return [];
	const target = await telemetryTarget(home, env, true);
	return agentTable.flatMap(({ name, title }): Check[] => {
		const part = `telemetry, ${name}`;
		try {
			const state = telemetryState(name, project, { env, cwd: project }, target);
			if (state === 'no') return [];
			if (state === 'yes') return [{ state: 'ok', name: part, detail: `${title} sends it to ${target.url}` }];
			const detail = `${title} sends it to another port, or with another token, than this home has`;
			return [{ state: 'wrong', name: part, detail, fix: `run \`signalbox init --telemetry --agent ${name}\`` }];
		} catch (error) {
			if (!(error instanceof SettingsRefused)) throw error;
			return [];
		}
	});
}
