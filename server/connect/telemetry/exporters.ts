import { type HrTime, type Meter, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { EventOf, KnownEvent } from '#lib/contract/events/event.ts';
import { isKnown } from '#lib/contract/events/event-labels.ts';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import type { Span } from '#lib/telemetry/session-spans.ts';
import type { TelemetrySettings } from '#lib/telemetry/telemetry-settings.ts';
import { repeat } from '../../process/repeat.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';

const METRICS_MS = 15_000;

/** Exports spans and metrics to a collector. Loads the OpenTelemetry SDK, so it is imported only if a collector is configured. */
export function openExporters(
	{ endpoint, headers }: TelemetrySettings,
	version: string,
	now: () => number,
	onLost: (count: number, why: string) => void,
) {
	const resource = resourceFromAttributes({ 'service.name': 'signalbox', 'service.version': version });
	const exporter = new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers });
	const provider = new MeterProvider({
		resource,
		readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: METRICS_MS })],
	});
	const meter = provider.getMeter('signalbox', version);
	const dropped = meter.createCounter('signalbox.telemetry.dropped', { description: 'Spans that did not arrive' });
	const sender = createSpanSender({
		exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, headers }),
		resource,
		scope: { name: 'signalbox', version },
		onLost: (count, why) => {
			dropped.add(count);
			onLost(count, why);
		},
	});
	return {
		countBatch: createSessionMeters(meter, now),
		sender,
		async stop(): Promise<void> {
			await Promise.allSettled([sender.stop(), provider.shutdown()]);
		},
	};
}

function createSessionMeters(meter: Meter, now: () => number): (batch: TailBatch) => void {
	const counter = (name: string, description: string, unit?: string) =>
		meter.createCounter(`signalbox.${name}`, { description, ...(unit && { unit }) });
	const seconds = (name: string, description: string) =>
		meter.createHistogram(`signalbox.${name}`, { unit: 's', description });
	const events = counter('events', 'Events by type');
	const denials = counter('denials', 'Calls and stops that a gate denied, by rule');
	const decisions = counter('decisions', 'What people said of held calls');
	const overrides = counter('overrides', 'Denials that a person let run');
	const tokens = counter('tokens', 'Tokens of models');
	const cost = counter('cost', 'Cost of answers whose model has a price', 'USD');
	const waits = seconds('wait', 'How long a call waited for a person');
	const judging = seconds('gate.duration', 'How long a gate judged');
	const lag = seconds('tail.lag', 'From a hook to the index');

	function countVerdict({ decision, gate, rule, durationMs }: EventOf<'gate:verdict'>): void {
		if (decision === 'deny') denials.add(1, { gate, rule });
		if (durationMs !== undefined) judging.record(durationMs / 1000, { gate });
	}

	function countDecision({ approvalId, decision, ts }: EventOf<'approval:resolve'>, { approvals }: SessionView): void {
		decisions.add(1, { decision });
		if (decision === 'approve') overrides.add(1, { by: 'approval' });
		const requestedAt = approvals.find((approval) => approval.approvalId === approvalId)?.requestedAt;
		if (requestedAt !== undefined) waits.record((Date.parse(ts) - Date.parse(requestedAt)) / 1000);
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

	return ({ events: batch, view }) => {
		for (const event of batch) {
			// Anybody may have written an unknown type, so it does not become the name of a series.
			events.add(1, { type: isKnown(event) ? event.type : 'unknown' });
			if (isKnown(event)) countEvent(event, view);
		}
		const last = batch.at(-1);
		if (last) lag.record(Math.max(0, now() - Date.parse(last.ts)) / 1000);
	};
}

/** How many spans wait while the collector is slow or down; later ones are dropped and counted. */
const MAX_WAITING = 4096;
const BATCH_SIZE = 512;
const SEND_MS = 2000;
const DONE = 0;

interface SpanSenderOptions {
	exporter: SpanExporter;
	resource: Resource;
	scope: { name: string; version: string };
	/** Called with the number of lost spans, and why. */
	onLost: (count: number, why: string) => void;
}

/** Passes spans to an exporter, a batch at a time, without blocking the caller. */
export function createSpanSender({ exporter, resource, scope, onLost }: SpanSenderOptions) {
	const waiting: Span[] = [];
	let overflown = 0;

	async function send(): Promise<void> {
		if (overflown > 0) onLost(overflown, 'too many waited');
		overflown = 0;
		while (waiting.length > 0) await exportBatch(waiting.splice(0, BATCH_SIZE));
	}

	function exportBatch(batch: readonly Span[]): Promise<void> {
		const spans = batch.map((span) => toReadable(span, resource, scope));
		return new Promise((resolve) => {
			exporter.export(spans, ({ code, error }) => {
				if (code !== DONE) onLost(batch.length, error?.message ?? 'the collector refused them');
				resolve();
			});
		});
	}

	const stopRepeat = repeat(SEND_MS, send, (error) => onLost(0, String(error)));
	return {
		add(spans: readonly Span[]): void {
			const room = MAX_WAITING - waiting.length;
			waiting.push(...spans.slice(0, room));
			overflown += Math.max(0, spans.length - room);
		},
		async stop(): Promise<void> {
			stopRepeat();
			await send();
			await exporter.shutdown();
		},
	};
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

function toReadable(span: Span, resource: Resource, instrumentationScope: SpanSenderOptions['scope']): ReadableSpan {
	const { traceId, spanId, parentSpanId, name, from, to, attributes, error } = span;
	const context = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
	return {
		name,
		kind: SpanKind.INTERNAL,
		attributes,
		resource,
		instrumentationScope,
		spanContext: () => context(spanId),
		...(parentSpanId !== undefined && { parentSpanContext: context(parentSpanId) }),
		startTime: hrTime(from),
		endTime: hrTime(to),
		duration: hrTime(to - from),
		status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
		links: [],
		events: [],
		ended: true,
		droppedAttributesCount: 0,
		droppedEventsCount: 0,
		droppedLinksCount: 0,
	};
}
