import type { EventOf } from '../contract/events/event.ts';
import { agentNameOf } from '../routing/agent-name.ts';
import type { HookPoint } from './agent-hook.ts';
import { agentTable } from './agent-table.ts';
import type { DeedKind } from './tool-call.ts';

/*
 * What told events mean, whichever make of agent they are of. Where an adapter had something to say beside the client's
 * own names, the event carries it; lines without it are Claude Code's, or of a version that knew no other.
 */

type ToolCallFacts = Pick<EventOf<'tool:call'>, 'tool' | 'does'>;
type HookFacts = Pick<EventOf<'hook:event'>, 'name' | 'at' | 'fields'>;

const [first] = agentTable;
const kinds = new Map<string, DeedKind>(
	Object.entries(first.tools).flatMap(([kind, names]) => names.map((name) => [name, kind as DeedKind] as const)),
);
const points = new Map<string, HookPoint>(
	Object.entries(first.events).map(([point, name]) => [name, point as HookPoint]),
);

/** What a call does. */
export function callKind({ tool, does }: ToolCallFacts): DeedKind {
	return (does as DeedKind | undefined) ?? kinds.get(tool) ?? 'other';
}

/** What a hook that has no event type of its own was about. */
export function hookPointOf({ name, at }: Omit<HookFacts, 'fields'>): HookPoint {
	return (at as HookPoint | undefined) ?? points.get(name) ?? 'other';
}

/** The sub-agent that a call asks for, by name; null where it starts none or names none. */
export function requestedAgent({ tool, does, asked, input }: EventOf<'tool:call'>): string | null {
	if (callKind({ tool, does }) !== 'start-agent') return null;
	const type =
		asked ?? (typeof input === 'object' && input !== null && 'subagent_type' in input && input.subagent_type);
	return agentNameOf(type);
}

/** Whether a tool runs a script that starts as many agents as it likes. */
export function runsScript(tool: string): boolean {
	return tool === 'Workflow';
}

/** Whom a call sends a message that wakes an agent; undefined where it does not. */
export function wakesAgent({ tool, input }: Pick<EventOf<'tool:call'>, 'tool' | 'input'>): string | undefined {
	if (tool !== 'SendMessage') return undefined;
	const to = typeof input === 'object' && input !== null && 'to' in input ? input.to : undefined;
	return typeof to === 'string' ? to : undefined;
}

/** Whether a hook says that a person typed what may start an agent by itself. */
export function isTypedCommand({ name }: Pick<HookFacts, 'name'>): boolean {
	return name === 'UserPromptExpansion';
}

/** The kind of agent that a hook says has ended, where that was told of no agent that is known. */
export function endedAgentKind(event: HookFacts): string | null {
	return hookPointOf(event) === 'agent-end' ? agentNameOf(event.fields.agent_type) : null;
}

/** Why the client itself let a call not run; undefined where the hook says no such thing. */
export function clientDenial({ name, fields }: HookFacts): { reason: unknown } | undefined {
	return name === 'PermissionDenied' ? { reason: fields.reason } : undefined;
}

/** The ids of the sub-agents that go on behind a turn; null where the client lists none. */
export function runningAgentIds({ fields: { background_tasks: tasks } }: HookFacts): unknown[] | null {
	return Array.isArray(tasks) ? tasks.map((task: unknown) => (task as { id?: unknown } | null)?.id) : null;
}
