import { agentRow, FIRST_AGENT } from '../agents/agent-table.ts';
import type { GateRow } from './gate-row.ts';

/** Where a gate is asked, in an agent's own names: its events, and the tools whose calls it judges there. */
export function placesOf({ at, deeds }: GateRow, agent = agentRow(FIRST_AGENT)): { events: string[]; tools: string[] } {
	return {
		events: at.flatMap((point) => agent.events[point] ?? []),
		tools: deeds.flatMap((deed) => agent.tools[deed] ?? []),
	};
}

/** The same in one line. */
export function placeWords(row: GateRow): string {
	const { events, tools } = placesOf(row);
	return [events.join(', '), tools.join(', ')].filter((part) => part !== '').join(': ');
}

/** The paths of a gate's settings. */
export function settingPaths({ setting, mayHold, settings }: GateRow): string[] {
	return [`gates.${setting}.enabled`, ...(mayHold ? [`gates.${setting}.hold`] : []), ...settings];
}

/** How far a gate holds, in words: as a guard, or as guidance, and why. */
export function restsWords(rests: GateRow['rests']): string {
	return rests === 'guard' ? 'guard' : `guidance. ${rests.guidance}`;
}
