import type { AgentRow } from '../agents/agent-row.ts';
import type { GateCoverage } from '../contract/rules/rules.ts';
import { placesOf } from './gate-places.ts';
import type { GateRow } from './gate-row.ts';

/** How a gate stands with a make of agent, as the make's hooks are registered. */
export function gateCoverage(gate: GateRow, agent: AgentRow): GateCoverage {
	const { events, tools } = placesOf(gate, agent);
	// A reviewer is forked from the session that it reviews, which not every client can do.
	const isAble = gate.judged !== 'by-reviewer' || agent.can.reviews;
	const isAsked = isAble && events.length > 0 && (gate.deeds.length === 0 || tools.length > 0);
	if (!isAsked) return 'not-asked';
	return gate.profile === 'closed' && agent.can.onFailure === 'as-entry-says' ? 'holds' : 'opens';
}
