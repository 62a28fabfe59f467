import type { Person } from '#hooks-bridge/agents/agent-setup.ts';
import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import { type AgentName, agentRow, FIRST_AGENT } from '#lib/agents/agent-table.ts';
import { isFailClosed, type Registering } from './plan-agent.ts';

/** What a person still has to do, or should know, after the hooks of these clients are registered. */
export function adviceFor(agents: readonly AgentName[], person: Person, { isClosed }: Registering): string[] {
	return [
		...agents.flatMap((agent) => setupOf(agent).after ?? []),
		...agents.filter((agent) => agent !== FIRST_AGENT).flatMap((agent) => adviceOnFailure(agent, person, isClosed)),
	];
}

/** One project makes the file fail closed for all projects: the person should know that, and how to undo it. */
function adviceOnFailure(agent: AgentName, person: Person, isClosed: boolean): string[] {
	const { title } = agentRow(agent);
	if (isFailClosed(agent, person)) {
		return [
			`With ${title}, a call that cannot be judged is denied in every project, because commands are excluded. \`signalbox init --remove --agent ${agent}\` undoes that.`,
		];
	}
	if (!isClosed) return [];
	return [`With ${title}, a call whose hook fails runs, even an excluded command: none of its entries fails closed.`];
}
