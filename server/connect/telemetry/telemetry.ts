import { createHash } from 'node:crypto';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { sessionSpans } from '#lib/telemetry/session-spans.ts';
import { readTelemetrySettings, type TelemetrySettings } from '#lib/telemetry/telemetry-settings.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readConfig } from '../../process/read-config.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Tail } from '../../timeline/tail/tail.ts';

const METRICS_MS = 15_000;
/** A call that is told again after so many others is sent again, under the same id. */
const REMEMBERED = 20_000;
const TOLD_AGAIN_MS = 60_000;
/** Batches that wait for the exporters. */
const MOST_EARLY = 1000;

interface TelemetryOptions {
	tail: Pick<Tail, 'onBatch'>;
	ports: Pick<Ports, 'readHomeFile'>;
	env: Readonly<Record<string, string | undefined>>;
	version: string;
	now: () => number;
	log: Log;
}

/**
 * Sends what sessions do to an OpenTelemetry collector, where `telemetry.endpoint` of `config.json` names one; gives how it
 * is ended. Without one nothing of it is loaded.
 */
export function startTelemetry({ tail, ports, env, version, now, log }: TelemetryOptions): () => Promise<void> {
	const { settings, problems } = readTelemetrySettings(readConfig(ports), env);
	for (const problem of problems) log.warn(`config.json: ${problem}`);
	if (!settings) return async () => {};
	const opening = openExporters(settings, version, now, tellLost(log, now));
	// Hooks are answered before the exporters are loaded.
	const early: TailBatch[] = [];
	let send: (batch: TailBatch) => void = (batch) => {
		if (early.push(batch) > MOST_EARLY) early.shift();
	};
	const stopListening = tail.onBatch((batch) => send(batch));
	const listening = opening.then(({ meters, sender }) => {
		const sent = new LruMap<string, true>(REMEMBERED);
		const { content } = settings;
		send = (batch) => {
			meters(batch);
			const spans = sessionSpans(batch, { content, digest }).filter(({ spanId }) => sent.get(spanId) === undefined);
			for (const { spanId } of spans) sent.set(spanId, true);
			sender.add(spans);
		};
		for (const batch of early.splice(0)) send(batch);
	});
	listening.catch((error: unknown) => log.error('Telemetry could not be started', error));
	log.info('Telemetry goes to a collector', { endpoint: new URL(settings.endpoint).origin });
	return async () => {
		stopListening();
		await listening;
		await (await opening).stop();
	};
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

async function openExporters(
	{ endpoint, headers }: TelemetrySettings,
	version: string,
	now: () => number,
	onLost: (count: number, why: string) => void,
) {
	const [
		{ OTLPTraceExporter },
		{ OTLPMetricExporter },
		metrics,
		{ resourceFromAttributes },
		{ createSpanSender },
		meterOf,
	] = await Promise.all([
		import('@opentelemetry/exporter-trace-otlp-http'),
		import('@opentelemetry/exporter-metrics-otlp-http'),
		import('@opentelemetry/sdk-metrics'),
		import('@opentelemetry/resources'),
		import('./exporters.ts'),
		import('./exporters.ts'),
	]);
	const resource = resourceFromAttributes({ 'service.name': 'signalbox', 'service.version': version });
	const provider = new metrics.MeterProvider({
		resource,
		readers: [
			new metrics.PeriodicExportingMetricReader({
				exporter: new OTLPMetricExporter({ url: `${endpoint}/v1/metrics`, headers }),
				exportIntervalMillis: METRICS_MS,
			}),
		],
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
		meters: meterOf.createSessionMeters(meter, now),
		sender,
		stop: async () => {
			await Promise.allSettled([sender.stop(), provider.shutdown()]);
		},
	};
}

/** At most a line a minute: a collector that is away is away for many batches. */
function tellLost(log: Log, now: () => number): (count: number, why: string) => void {
	let total = 0;
	let toldAt = 0;
	return (count, why) => {
		total += count;
		if (now() - toldAt < TOLD_AGAIN_MS) return;
		toldAt = now();
		log.warn('Telemetry did not arrive', { spans: total, why });
	};
}
