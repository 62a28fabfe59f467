import { printable } from '../../text/printable.ts';

/** Names of agents for a message; lists beyond 20 are cut and say so. */
export function agentList(agents: readonly string[]): string {
	const shown = agents.slice(0, 20).map((agent) => printable(agent, 60));
	const more = agents.length - shown.length;
	return `[${shown.join(', ')}${more > 0 ? `, … ${more} more` : ''}]`;
}
