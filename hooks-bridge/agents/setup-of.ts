import { type AgentName, agentTable } from '#lib/agents/agent-table.ts';
import type { OtlpRecord } from '#lib/otlp/otlp-record.ts';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';
import type { AgentSetup } from './agent-setup.ts';
import { claudeCodeSetup } from './claude-code/setup.ts';
import { otherSetups } from './other-makes.ts';

export function setupOf(agent: AgentName): AgentSetup {
	return agent === 'claude-code' ? claudeCodeSetup : otherSetups[agent];
}

const readers = agentTable.flatMap(({ name }) => setupOf(name).telemetry?.read ?? []);

/** Facts for sessions' stories in telemetry records of any client. */
export function telemetryFacts(records: readonly OtlpRecord[]): TelemetryFact[] {
	return records.flatMap((record) => {
		for (const read of readers) {
			const fact = read(record);
			if (fact) return [fact];
		}
		return [];
	});
}
