import type { EventOf } from '../contract/events/event.ts';
import { agentNameOf } from '../routing/routing-state.ts';
import type { HookPoint } from './agent-hook.ts';
import { agentTable, deedKindsOf, hookPointsOf } from './agent-table.ts';
import type { DeedKind } from './tool-call.ts';

/**
 * The meaning of recorded events, for any client. Fields beside the client's own names come from its adapter; lines without them
 * are Claude Code's or older.
 */

type ToolCallFacts = Pick<EventOf<'tool:call'>, 'tool' | 'does'>;
type HookFacts = Pick<EventOf<'hook:event'>, 'name' | 'at' | 'fields'>;

const [first] = agentTable;
const kinds = deedKindsOf(first);
const points = hookPointsOf(first);

export function callKind({ tool, does }: ToolCallFacts): DeedKind {
	return (does as DeedKind | undefined) ?? kinds.get(tool) ?? 'other';
}

export function hookPointOf({ name, at }: Omit<HookFacts, 'fields'>): HookPoint {
	return (at as HookPoint | undefined) ?? points.get(name) ?? 'other';
}

/** Null if it starts none or names none. */
export function requestedAgent({ tool, does, asked, input }: EventOf<'tool:call'>): string | null {
	if (callKind({ tool, does }) !== 'start-agent') return null;
	const type =
		asked ?? (typeof input === 'object' && input !== null && 'subagent_type' in input && input.subagent_type);
	return agentNameOf(type);
}

export function runsScript(tool: string): boolean {
	return tool === 'Workflow';
}

export function wakesAgent({ tool, input }: Pick<EventOf<'tool:call'>, 'tool' | 'input'>): string | undefined {
	if (tool !== 'SendMessage') return undefined;
	const to = typeof input === 'object' && input !== null && 'to' in input ? input.to : undefined;
	return typeof to === 'string' ? to : undefined;
}

export function isTypedCommand({ name }: Pick<HookFacts, 'name'>): boolean {
	return name === 'UserPromptExpansion';
}

export function endedAgentKind(event: HookFacts): string | null {
	return hookPointOf(event) === 'agent-end' ? agentNameOf(event.fields.agent_type) : null;
}

export function clientDenial({ name, fields }: HookFacts): { reason: unknown } | undefined {
	return name === 'PermissionDenied' ? { reason: fields.reason } : undefined;
}

/** Null if the client lists none. */
export function runningAgentIds({ fields: { background_tasks: tasks } }: HookFacts): unknown[] | null {
	return Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { id?: unknown } | null)?.id) : null;
}
