import { setupOf } from '#hooks-bridge/agents/setup-of.ts';
import type { AgentName } from '#lib/agents/agent-table.ts';
import { hasEntries } from '../install/plan-init.ts';

/** What a person still has to do, or should know, once the hooks of these makes are registered. */
export function adviceFor(agents: readonly AgentName[], project: string): string[] {
	return [
		...agents.flatMap((agent) => setupOf(agent).after ?? []),
		...(agents.includes('copilot') && hasEntries(project)
			? [
					'In a folder that it trusts Copilot CLI also runs the hooks of .claude/settings.json: each call here would be told twice.',
				]
			: []),
	];
}
