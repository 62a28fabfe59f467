import { type AgentRow, agentRow, FIRST_AGENT } from '../agents/agent-table.ts';
import type { GateCoverage } from '../contract/rules/rules.ts';
import type { GateRow } from './gate.ts';

/** The hook entries that ask a gate, by the client's own names of events and tools. */
export function hooksOf({ at, deeds }: GateRow, agent = agentRow(FIRST_AGENT)): { events: string[]; tools: string[] } {
	return {
		events: at.flatMap((point) => agent.events[point] ?? []),
		tools: deeds.flatMap((deed) => agent.tools[deed] ?? []),
	};
}

/** In Claude Code's names, for documents and the rules page: `PreToolUse: Agent, Task`. */
export function hookWords(row: GateRow): string {
	const { events, tools } = hooksOf(row);
	return [events.join(', '), tools.join(', ')].filter((part) => part !== '').join(': ');
}

export function settingPaths({ setting, mayHold, settings }: GateRow): string[] {
	return [
		`gates.${setting}.enabled`,
		...(mayHold ? [`gates.${setting}.hold`] : []),
		...settings.map((own) => (typeof own === 'string' ? own : own.path)),
	];
}

export function basisWords(basis: GateRow['basis']): string {
	return basis === 'guard' ? 'guard' : `guidance. ${basis.guidance}`;
}

/** Whether a client asks the gate at all, and if so what happens to a call when its hook fails. */
export function gateCoverage(gate: GateRow, agent: AgentRow): GateCoverage {
	const { events, tools } = hooksOf(gate, agent);
	// A reviewer is forked from its session, which not every client supports.
	const isAble = gate.judgedBy !== 'by-reviewer' || agent.can.reviews;
	const isConsulted = isAble && events.length > 0 && (gate.deeds.length === 0 || tools.length > 0);
	if (!isConsulted) return 'not-asked';
	return gate.profile === 'closed' && agent.can.onFailure === 'as-entry-says' ? 'holds' : 'opens';
}
