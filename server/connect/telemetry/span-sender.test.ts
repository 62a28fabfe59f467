import { resourceFromAttributes } from '@opentelemetry/resources';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import { expect, test, vi } from 'vitest';
import type { Span } from '#lib/telemetry/session-spans.ts';
import { createSpanSender } from './exporters.ts';

const span: Span = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'chat', from: 1, to: 2, attributes: {} };

function rig(answer: 'takes' | 'refuses') {
	const lost: [number, string][] = [];
	let taken = 0;
	const exporter: SpanExporter = {
		export(spans, done) {
			if (answer === 'takes') taken += spans.length;
			done(answer === 'takes' ? { code: 0 } : { code: 1, error: new Error('connection refused') });
		},
		shutdown: async () => {},
	};
	const sender = createSpanSender({
		exporter,
		resource: resourceFromAttributes({}),
		scope: { name: 'signalbox', version: '1' },
		onLost: (count, why) => lost.push([count, why]),
	});
	return { sender, lost, taken: () => taken };
}

test('what a slow collector cannot take is dropped and counted, and the rest is sent at the end', async () => {
	vi.useFakeTimers();
	const { sender, lost, taken } = rig('takes');
	sender.add(Array.from({ length: 5000 }, () => span));
	await sender.stop();
	expect(taken()).toBe(4096);
	expect(lost).toEqual([[904, 'too many waited']]);
	vi.useRealTimers();
});

test('an unreachable collector loses what was sent, and every loss is reported', async () => {
	const { sender, lost } = rig('refuses');
	sender.add(Array.from({ length: 600 }, () => span));
	await sender.stop();
	expect(lost).toEqual([
		[512, 'connection refused'],
		[88, 'connection refused'],
	]);
});
