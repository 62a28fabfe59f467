import type { Meter } from '@opentelemetry/api';
import type { EventOf, KnownEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/is-known.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';

/** Gives the function that counts what a part of a session's story tells; `now` in ms since the epoch. */
export function createSessionMeters(meter: Meter, now: () => number): (batch: TailBatch) => void {
	const events = meter.createCounter('signalbox.events', { description: 'Events by type' });
	const denials = meter.createCounter('signalbox.denials', {
		description: 'Calls and stops that a gate denied, by rule',
	});
	const decisions = meter.createCounter('signalbox.decisions', { description: 'What people said of held calls' });
	const overrides = meter.createCounter('signalbox.overrides', { description: 'Denials that a person let run' });
	const waits = meter.createHistogram('signalbox.wait', {
		unit: 's',
		description: 'How long a call waited for a person',
	});
	const judging = meter.createHistogram('signalbox.gate.duration', {
		unit: 's',
		description: 'How long a gate judged',
	});
	const lag = meter.createHistogram('signalbox.tail.lag', { unit: 's', description: 'From a hook to the index' });
	const tokens = meter.createCounter('signalbox.tokens', { description: 'Tokens of models' });
	const cost = meter.createCounter('signalbox.cost', {
		unit: 'USD',
		description: 'Cost of answers whose model has a price',
	});

	function countVerdict({ decision, gate, rule, durationMs }: EventOf<'gate:verdict'>): void {
		if (decision === 'deny') denials.add(1, { gate, rule });
		if (durationMs !== undefined) judging.record(durationMs / 1000, { gate });
	}

	function countDecision({ approvalId, decision, ts }: EventOf<'approval:resolve'>, { approvals }: SessionView): void {
		decisions.add(1, { decision });
		if (decision === 'approve') overrides.add(1, { by: 'approval' });
		const asked = approvals.find((approval) => approval.approvalId === approvalId)?.requestedAt;
		if (asked !== undefined) waits.record((Date.parse(ts) - Date.parse(asked)) / 1000);
	}

	function countUsage({ model, costUsd, ...answer }: EventOf<'model:usage'>): void {
		tokens.add(answer.inputTokens, { model, kind: 'input' });
		tokens.add(answer.outputTokens, { model, kind: 'output' });
		tokens.add(answer.cacheReadTokens, { model, kind: 'cache-read' });
		tokens.add(answer.cacheWriteTokens, { model, kind: 'cache-write' });
		if (costUsd !== undefined) cost.add(costUsd, { model });
	}

	function countEvent(event: KnownEvent, view: SessionView): void {
		if (event.type === 'gate:verdict') countVerdict(event);
		if (event.type === 'approval:resolve') countDecision(event, view);
		if (event.type === 'grant:use') overrides.add(1, { by: 'grant' });
		if (event.type === 'model:usage') countUsage(event);
	}

	return ({ events: told, view }) => {
		for (const event of told) {
			// An unknown type is what anybody may have written: it is no name for a series.
			events.add(1, { type: isKnown(event) ? event.type : 'unknown' });
			if (isKnown(event)) countEvent(event, view);
		}
		const last = told.at(-1);
		if (last) lag.record(Math.max(0, now() - Date.parse(last.ts)) / 1000);
	};
}
