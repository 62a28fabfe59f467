import type { EventOf } from '../contract/events/event.ts';
import { agentNameOf } from '../routing/routing-state.ts';
import type { HookPoint } from './agent-hook.ts';
import { agentTable, deedKindsOf, hookPointsOf } from './agent-table.ts';
import type { DeedKind } from './tool-call.ts';

/** What recorded events mean, whichever client wrote them. Lines with only a client's own names are Claude Code's, or older. */

type ToolCallFacts = Pick<EventOf<'tool:call'>, 'tool' | 'does'>;
type HookFacts = Pick<EventOf<'hook:event'>, 'name' | 'at' | 'fields'>;

const [first] = agentTable;
const kinds = deedKindsOf(first);
const points = hookPointsOf(first);

/** As its adapter recorded it, else by the tool's name. */
export function callKind({ tool, does }: ToolCallFacts): DeedKind {
	return (does as DeedKind | undefined) ?? kinds.get(tool) ?? 'other';
}

/** As its adapter recorded it, else by the hook's name. */
export function hookPointOf({ name, at }: Omit<HookFacts, 'fields'>): HookPoint {
	return (at as HookPoint | undefined) ?? points.get(name) ?? 'other';
}

/** The agent that a call wants to start; null if it starts none or names none. */
export function requestedAgent({ tool, does, asked, input }: EventOf<'tool:call'>): string | null {
	if (callKind({ tool, does }) !== 'start-agent') return null;
	const type =
		asked ?? (typeof input === 'object' && input !== null && 'subagent_type' in input && input.subagent_type);
	return agentNameOf(type);
}

/** Whether a call starts any number of agents without naming them, so that they appear unannounced. */
export function runsScript(tool: string): boolean {
	return tool === 'Workflow';
}

/** The id or name to which a call sends a message: an ended agent runs again then. */
export function wakesAgent({ tool, input }: Pick<EventOf<'tool:call'>, 'tool' | 'input'>): string | undefined {
	if (tool !== 'SendMessage') return undefined;
	const to = typeof input === 'object' && input !== null && 'to' in input ? input.to : undefined;
	return typeof to === 'string' ? to : undefined;
}

/** A slash command that a person typed. It may start a skill's agent without a call. */
export function isTypedCommand({ name }: Pick<HookFacts, 'name'>): boolean {
	return name === 'UserPromptExpansion';
}

/** The kind of the sub-agent that has ended; null for any other hook. */
export function endedAgentKind(event: HookFacts): string | null {
	return hookPointOf(event) === 'agent-end' ? agentNameOf(event.fields.agent_type) : null;
}

/** Set if the client itself denied a call: no gate has, and nothing more will be recorded of that call. */
export function clientDenial({ name, fields }: HookFacts): { reason: unknown } | undefined {
	return name === 'PermissionDenied' ? { reason: fields.reason } : undefined;
}

/** Background agents that still run; null from a client that sends no list. */
export function runningAgentIds({ fields: { background_tasks: tasks } }: HookFacts): unknown[] | null {
	return Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { id?: unknown } | null)?.id) : null;
}
