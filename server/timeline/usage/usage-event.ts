import type { AbortLine } from '#hooks-bridge/agents/agent-adapter.ts';
import { contentId } from '#hooks-bridge/engine/event-ids.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import type { CallView } from '#lib/contract/sessions/read-model/call-view.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { find } from '#lib/session/view.ts';
import type { PlacedLine } from '#lib/usage/model-answer.ts';
import { costOf, type PriceTable } from '#lib/usage/prices.ts';

const NO_MODEL = 'unknown';

/** A session that continues another one begins with its lines, which were paid for there. */
export function isOwnAnswer({ answer, askedBy }: PlacedLine, view: SessionView): boolean {
	if (askedBy !== undefined && askedBy !== view.sessionId) return false;
	const from = view.transcript?.from;
	return from === undefined || answer.at === undefined || answer.at >= from;
}

/**
 * The event of one answer, with the answer's id: however often it is read, it is recorded once. `agentId` is the
 * file's.
 */
export function usageEvent(
	line: PlacedLine,
	agentId: string | undefined,
	view: SessionView,
	prices: PriceTable,
	ports: Pick<Ports, 'now' | 'digest'>,
): SealedEvent {
	const { readTo } = line;
	const answer = { ...line.answer, model: line.answer.model ?? view.model ?? NO_MODEL };
	const { messageId, requestId = '', model, at, inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = answer;
	const actor = line.agentId ?? agentId;
	const stage = find(view.agents, 'agentId', actor)?.stage;
	const costUsd = costOf(answer, prices);
	const fields: FieldsOf<'model:usage'> = {
		model,
		messageId,
		...(at && { at }),
		inputTokens,
		outputTokens,
		cacheReadTokens,
		cacheWriteTokens,
		...(costUsd !== undefined && { costUsd, prices: prices.date }),
		...(stage && { stage }),
		source: 'transcript',
		...(actor === agentId && { readTo }),
	};
	return sealUsage(
		'model:usage',
		contentId(ports, ['usage', messageId, requestId]),
		view.sessionId,
		fields,
		ports,
		actor,
	);
}

export function usageWarning(message: string, sessionId: string, ports: Pick<Ports, 'now' | 'digest'>): SealedEvent {
	const id = contentId(ports, ['usage-warning', sessionId, message]);
	return sealUsage('system:warning', id, sessionId, { code: 'usage/transcript', message }, ports);
}

/** As a hook of another client reports it. */
export function abortEvent(
	{ id, at }: AbortLine,
	sessionId: string,
	ports: Pick<Ports, 'now' | 'digest'>,
): SealedEvent {
	const fields = { name: 'abort', at: 'interrupt', fields: { source: 'transcript', timestamp: at } };
	return sealUsage('hook:event', contentId(ports, ['abort', sessionId, id]), sessionId, fields, ports);
}

export function stopEvent(
	{ id }: AbortLine,
	{ toolUseId, tool, agentId }: Pick<CallView, 'toolUseId' | 'tool' | 'agentId'>,
	sessionId: string,
	ports: Pick<Ports, 'now' | 'digest'>,
): SealedEvent {
	const fields = {
		toolUseId,
		tool,
		error: 'A person stopped it, as the transcript of the client says.',
		interrupt: true,
	};
	return sealUsage('tool:error', contentId(ports, ['stop', sessionId, id]), sessionId, fields, ports, agentId);
}

function sealUsage(
	type: 'model:usage' | 'system:warning' | 'hook:event' | 'tool:error',
	id: string,
	sessionId: string,
	fields: object,
	ports: Pick<Ports, 'now'>,
	agentId?: string,
): SealedEvent {
	return {
		id,
		ts: new Date(ports.now()).toISOString(),
		type,
		category: categoryOf(type),
		label: labelOf(type).en,
		sessionId,
		...(agentId !== undefined && { agentId }),
		...fields,
	};
}
