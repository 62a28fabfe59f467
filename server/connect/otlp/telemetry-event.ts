import { contentId } from '#hooks-bridge/engine/event-ids.ts';
import type { Ports, SealedEvent } from '#hooks-bridge/ports/ports.ts';
import type { FieldsOf } from '#lib/contract/events/event.ts';
import { categoryOf, labelOf } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { AnswerFact, TelemetryFact } from '#lib/otlp/telemetry-fact.ts';
import { find, findCall } from '#lib/session/view.ts';
import { costOf } from '#lib/usage/cost-of.ts';
import type { PriceTable } from '#lib/usage/prices.ts';

/** Prices by which a client counted its own cost. */
const CLIENT_PRICES = 'client';

/**
 * The event of what a client exported. Its id is made of what was said and when, so that an export which is sent again
 * tells nothing twice. A call that the session does not know is left out: it would be one that nobody called.
 */
export function telemetryEvent(
	fact: TelemetryFact,
	view: SessionView,
	prices: PriceTable,
	ports: Pick<Ports, 'now' | 'digest'>,
): SealedEvent {
	const { make, agentId, promptId, at, nonce, says } = fact;
	const id = contentId(ports, ['telemetry', make, view.sessionId, nonce, JSON.stringify([fact.toolUseId, says])]);
	const type = TYPES[says.kind];
	const toolUseId = knownCall(fact, view);
	return {
		id,
		ts: new Date(ports.now()).toISOString(),
		type,
		category: categoryOf(type),
		label: labelOf(type).en,
		sessionId: view.sessionId,
		...(agentId !== undefined && { agentId }),
		...(toolUseId !== undefined && { toolUseId }),
		...(says.kind === 'answer'
			? answerFields(says, id, find(view.agents, 'agentId', agentId)?.stage, prices)
			: rest(says)),
		...(at !== undefined && { at: new Date(at).toISOString() }),
		...(promptId !== undefined && { promptId }),
	};
}

/** The call that a fact is about, if the session knows it. */
export function knownCall({ toolUseId }: TelemetryFact, view: SessionView): string | undefined {
	return toolUseId === undefined ? undefined : findCall(view.calls, toolUseId)?.toolUseId;
}

const TYPES = { answer: 'model:usage', error: 'model:error', decision: 'permission:decide' } as const;

function rest({ kind: _kind, ...fields }: Exclude<TelemetryFact['says'], AnswerFact>) {
	return fields satisfies FieldsOf<'model:error' | 'permission:decide'>;
}

function answerFields(
	{ kind: _kind, costUsd, fast, cacheHourTokens, messageId, ...counts }: AnswerFact,
	id: string,
	stage: string | undefined,
	prices: PriceTable,
): FieldsOf<'model:usage'> {
	const answer = { ...counts, messageId: messageId ?? id, cacheHourTokens, webSearches: 0, ...(fast && { fast }) };
	const cost = costUsd ?? costOf(answer, prices);
	return {
		...counts,
		messageId: messageId ?? id,
		...(cost !== undefined && { costUsd: cost, prices: costUsd === undefined ? prices.date : CLIENT_PRICES }),
		...(stage && { stage }),
		source: 'telemetry',
	};
}
