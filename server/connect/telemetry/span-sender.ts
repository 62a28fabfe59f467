import { type HrTime, SpanKind, SpanStatusCode, TraceFlags } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Span } from '#lib/telemetry/session-spans.ts';
import { repeat } from '../../process/repeat.ts';

/** So many spans wait at most while the collector is slow or away; what comes then is dropped and counted. */
const MOST_WAITING = 4096;
const MOST_AT_ONCE = 512;
const SEND_MS = 2000;
/** How an exporter says that all went well. */
const DONE = 0;

interface SpanSenderOptions {
	exporter: SpanExporter;
	resource: Resource;
	scope: { name: string; version: string };
	/** Called with how many spans did not arrive, and why. */
	onLost: (count: number, why: string) => void;
}

/** Hands spans to an exporter, a batch at a time, and never makes anybody wait. */
export function createSpanSender({ exporter, resource, scope, onLost }: SpanSenderOptions) {
	const waiting: Span[] = [];
	let overflown = 0;

	async function send(): Promise<void> {
		if (overflown > 0) onLost(overflown, 'too many waited');
		overflown = 0;
		while (waiting.length > 0) await exportBatch(waiting.splice(0, MOST_AT_ONCE));
	}

	function exportBatch(batch: readonly Span[]): Promise<void> {
		const spans = batch.map((span) => readable(span, resource, scope));
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
			const room = MOST_WAITING - waiting.length;
			waiting.push(...spans.slice(0, room));
			overflown += Math.max(0, spans.length - room);
		},
		/** Sends what waits, as long as the exporter takes, and ends. */
		async stop(): Promise<void> {
			stopRepeat();
			await send();
			await exporter.shutdown();
		},
	};
}

const hrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

function readable(span: Span, resource: Resource, instrumentationScope: SpanSenderOptions['scope']): ReadableSpan {
	const { traceId, spanId, parentSpanId, name, from, to, attributes, error } = span;
	const context = (id: string) => ({ traceId, spanId: id, traceFlags: TraceFlags.SAMPLED });
	return {
		name,
		kind: SpanKind.INTERNAL,
		spanContext: () => context(spanId),
		...(parentSpanId !== undefined && { parentSpanContext: context(parentSpanId) }),
		startTime: hrTime(from),
		endTime: hrTime(to),
		duration: hrTime(to - from),
		status: error === undefined ? { code: SpanStatusCode.UNSET } : { code: SpanStatusCode.ERROR, message: error },
		attributes,
		resource,
		instrumentationScope,
		...{ links: [], events: [], ended: true },
		...{ droppedAttributesCount: 0, droppedEventsCount: 0, droppedLinksCount: 0 },
	};
}
