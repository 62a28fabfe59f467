import type { AgentHook } from '#lib/agents/agent-hook.ts';
import type { DraftEvent } from '#lib/contract/events/draft-event.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import type { HookRun, Ports, SealedEvent } from '../ports/ports.ts';
import { eventId } from './event-ids.ts';
import { fitEvent } from './fit-event.ts';

/** Fills in the envelope of a run's events and makes each fit a line. Large values are written as blobs here. */
export function seal(
	drafts: readonly DraftEvent[],
	hook: AgentHook,
	run: HookRun,
	ports: Ports,
	scope?: string,
): SealedEvent[] {
	const ts = new Date(ports.now()).toISOString();
	const seen = new Map<string, number>();
	return drafts.map((draft) => {
		const { id, type, agentId, toolUseId, ...fields } = draft;
		// Counted by type: a plan that only the first of two runs tells must not shift the others' ids.
		const ordinal = seen.get(type) ?? 0;
		seen.set(type, ordinal + 1);
		return fitEvent(
			{
				id: id ?? eventId(hook, run, ports, type, ordinal, scope),
				ts,
				type,
				category: categoryOf(type),
				label: labelOf(type).en,
				sessionId: hook.sessionId,
				agentId: agentId ?? hook.agentId,
				toolUseId: toolUseId ?? hook.toolUseId,
				requestId: run.requestId,
				...fields,
			},
			ports,
		);
	});
}
