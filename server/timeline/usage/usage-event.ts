import type { AbortLine } from '#hooks-bridge/agents/agent-adapter.ts';
import { contentId } from '#hooks-bridge/engine/draft-events.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { type EventType, typeFields } from '#lib/contract/events/event-labels.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { find } from '#lib/session/call.ts';
import type { PlacedLine } from '#lib/usage/model-answer.ts';
import { costOf, type PriceTable } from '#lib/usage/prices.ts';
import type { TailStore } from '../store/index-store.ts';

const NO_MODEL = 'unknown';

/** A session that continues another one begins with a copy of its lines, which were paid for there. */
export function isOwnAnswer({ answer, askedBy }: PlacedLine, view: SessionView): boolean {
	if (askedBy !== undefined && askedBy !== view.sessionId) return false;
	const from = view.transcript?.from;
	return from === undefined || answer.at === undefined || answer.at >= from;
}

type EventPorts = Pick<Ports, 'now' | 'digest'>;

/** The event of one answer, recorded once however often it is read. `agentId` is the file's. */
export function usageEvent(
	line: PlacedLine,
	agentId: string | undefined,
	view: SessionView,
	prices: PriceTable,
	ports: EventPorts,
): SealedEvent {
	const answer = { ...line.answer, model: line.answer.model ?? view.model ?? NO_MODEL };
	const { messageId, requestId = '', model, at, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = answer;
	const actor = line.agentId ?? agentId;
	const stage = find(view.agents, 'agentId', actor)?.stage;
	const costUsd = costOf(answer, prices);
	const fields: FieldsOf<'model:usage'> = {
		model,
		messageId,
		inputTokens,
		outputTokens,
		cacheReadTokens,
		cacheWriteTokens,
		source: 'transcript',
		...(at && { at }),
		...(costUsd !== undefined && { costUsd, prices: prices.date }),
		...(stage && { stage }),
		...(actor === agentId && { readTo: line.readTo }),
	};
	const named = actor === undefined ? fields : { agentId: actor, ...fields };
	return sealEvent('model:usage', ['usage', messageId, requestId], view.sessionId, named, ports);
}

export function usageWarning(message: string, sessionId: string, ports: EventPorts): SealedEvent {
	const fields = { code: 'usage/transcript', message };
	return sealEvent('system:warning', ['usage-warning', sessionId, message], sessionId, fields, ports);
}

/** As a hook of another client reports it. */
export function abortEvent({ id, at }: AbortLine, sessionId: string, ports: EventPorts): SealedEvent {
	const fields = { name: 'abort', at: 'interrupt', fields: { source: 'transcript', timestamp: at } };
	return sealEvent('hook:event', ['abort', sessionId, id], sessionId, fields, ports);
}

export function stopEvent(
	{ id }: AbortLine,
	{ toolUseId, tool, agentId }: Pick<CallView, 'toolUseId' | 'tool' | 'agentId'>,
	sessionId: string,
	ports: EventPorts,
): SealedEvent {
	const error = 'A person stopped it, as the transcript of the client says.';
	const fields = { ...(agentId !== undefined && { agentId }), toolUseId, tool, error, interrupt: true };
	return sealEvent('tool:error', ['stop', sessionId, id], sessionId, fields, ports);
}

/** An event whose id is made of `parts`, so that it is recorded once however often it is found. */
export function sealEvent(
	type: EventType,
	parts: readonly string[],
	sessionId: string,
	fields: object,
	ports: EventPorts,
): SealedEvent {
	const ts = new Date(ports.now()).toISOString();
	return { id: contentId(ports, parts), ts, ...typeFields(type), sessionId, ...fields };
}

/** Appends the events that the index does not have; of several with one id the last. Returns how many there were. */
export function appendFresh(
	sessionId: string,
	events: readonly SealedEvent[],
	{ index, ports }: { index: Pick<TailStore, 'knownIds'>; ports: Pick<Ports, 'append'> },
): number {
	const byId = new Map(events.map((event) => [event.id, event]));
	const known = index.knownIds(sessionId, [...byId.keys()]);
	const fresh = [...byId.values()].filter(({ id }) => !known.has(id));
	if (fresh.length > 0) ports.append(sessionId, fresh);
	return fresh.length;
}
