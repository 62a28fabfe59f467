import { type AgentName, agentTable, FIRST_AGENT, isAgentName } from '#lib/agents/agent-table.ts';
import { printable } from '#lib/text/printable.ts';

/** The makes that `--agent` names, once each, several times or separated by commas; an unknown one is an error in words. */
export function chosenAgents(given: readonly string[]): AgentName[] | { unknown: string } {
	const names = given.flatMap((names) => names.split(',')).map((name) => name.trim());
	const unknown = names.find((name) => !isAgentName(name));
	if (unknown !== undefined) {
		const known = agentTable.map(({ name }) => name).join(', ');
		return { unknown: `There is no agent ${printable(JSON.stringify(unknown), 100)}: --agent takes ${known}.` };
	}
	return [...new Set(names.filter(isAgentName))];
}

/** The makes to set up where nobody names one: those that are used here, else the first. */
export function orFirst(used: readonly AgentName[]): readonly AgentName[] {
	return used.length === 0 ? [FIRST_AGENT] : used;
}
