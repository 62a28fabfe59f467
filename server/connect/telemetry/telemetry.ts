import { createHash } from 'node:crypto';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { sessionSpans } from '#lib/telemetry/session-spans.ts';
import { readTelemetrySettings } from '#lib/telemetry/telemetry-settings.ts';
import type { Log } from '../../process/log.ts';
import { LruMap } from '../../process/lru-map.ts';
import { readConfig } from '../../process/read-config.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Tail } from '../../timeline/tail/tail.ts';

/** How many exported calls are remembered; an older one is exported again under the same id. */
const REMEMBERED = 20_000;
const REPORT_MS = 60_000;
/** Batches that wait for the exporters to load. */
const MAX_EARLY = 1000;

/** Sends sessions to the collector of `telemetry.endpoint`, if any. Returns the function that ends it. */
export function startTelemetry(options: {
	tail: Pick<Tail, 'onBatch'>;
	ports: Pick<Ports, 'readHomeFile'>;
	env: Readonly<Record<string, string | undefined>>;
	version: string;
	now: () => number;
	log: Log;
}): () => Promise<void> {
	const { tail, ports, env, version, now, log } = options;
	const { settings, problems } = readTelemetrySettings(readConfig(ports), env);
	for (const problem of problems) log.warn(`config.json: ${problem}`);
	if (!settings) return async () => {};
	// Hooks are answered before the exporters are loaded.
	const early: TailBatch[] = [];
	let send: (batch: TailBatch) => void = (batch) => {
		if (early.push(batch) > MAX_EARLY) early.shift();
	};
	const stopListening = tail.onBatch((batch) => send(batch));
	const opening = import('./exporters.ts').then(({ openExporters }) => {
		const exporters = openExporters(settings, version, now, createLossReport(log, now));
		const sent = new LruMap<string, true>(REMEMBERED);
		const { content } = settings;
		send = (batch) => {
			exporters.countBatch(batch);
			const spans = sessionSpans(batch, { content, digest }).filter(({ spanId }) => sent.get(spanId) === undefined);
			for (const { spanId } of spans) sent.set(spanId, true);
			exporters.sender.add(spans);
		};
		for (const batch of early.splice(0)) send(batch);
		return exporters;
	});
	opening.catch((error: unknown) => log.error('Telemetry could not be started', error));
	log.info('Telemetry goes to a collector', { endpoint: new URL(settings.endpoint).origin });
	return async () => {
		stopListening();
		await (await opening).stop();
	};
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex');

/** At most a line a minute, since a collector stays down for many batches. */
function createLossReport(log: Log, now: () => number): (count: number, why: string) => void {
	let total = 0;
	let reportedAt = 0;
	return (count, why) => {
		total += count;
		if (now() - reportedAt < REPORT_MS) return;
		reportedAt = now();
		log.warn('Telemetry did not arrive', { spans: total, why });
	};
}
