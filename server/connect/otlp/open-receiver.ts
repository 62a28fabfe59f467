import type { GateOptions } from '../../http/front-gate.ts';
import type { OpenName } from '../../process/program-name.ts';
import { createDecoder } from './decoder-thread.ts';
import { createReceiver, isTelemetryPath } from './receiver.ts';
import { createTelemetryService } from './telemetry-service.ts';
import { openTelemetryToken } from './telemetry-token.ts';

/** What takes telemetry in: its routes, what became of it so far, and how it is ended. */
export function openReceiver({
	home,
	openly,
	...base
}: { home: string; openly: OpenName } & Parameters<typeof createTelemetryService>[0]) {
	const decoder = createDecoder();
	const service = createTelemetryService(base);
	const token = openTelemetryToken(home);
	return {
		handles: isTelemetryPath,
		receive: createReceiver({ token, decoder, service, openly }),
		counts: service.counts,
		async stop() {
			service.stop();
			await decoder.stop();
		},
	} satisfies GateOptions['telemetry'] & { stop(): Promise<void> } & Pick<typeof service, 'counts'>;
}
