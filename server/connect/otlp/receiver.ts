import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError, errors } from '#lib/contract/errors.ts';
import { SIGNALS, type Signal } from '#lib/otlp/otlp-record.ts';
import { asTyped } from '#lib/text/as-typed.ts';
import { isSameSecret } from '../../access/secret.ts';
import { readBytes } from '../../door/exchange.ts';
import type { GateOptions } from '../../http/front-gate.ts';
import type { OpenName } from '../../process/program-name.ts';
import { createDecoder, type Decoder } from './decoder-thread.ts';
import { exportAnswer, FORM_TYPES, type OtlpForm, refusalAnswer } from './otlp-answer.ts';
import { createTelemetryService, type TelemetryService } from './telemetry-service.ts';
import { openTelemetryToken } from './telemetry-token.ts';

/** The longest body, as it is sent. */
const MAX_SENT = 4 * 1024 * 1024;
const TOO_MANY = 'More records than are read at once, or some that are none';
/** `/v1/logs`, and for clients that send no headers of their own `/otlp/TOKEN/v1/logs`. */
const PATH = /^(?:\/otlp\/(?<token>[^/]{1,200}))?\/v1\/(?<signal>logs|metrics|traces)$/;

/** Whether a path is one at which telemetry comes in. */
const isTelemetryPath = (path: string): boolean => PATH.test(path);

/** Takes OTLP over HTTP from clients on this machine. Answers every request, whatever it is; never throws. */
export function createReceiver(options: {
	token: string;
	decoder: Decoder;
	service: TelemetryService;
	/** How somebody without a token is told to run our command. */
	openly: OpenName;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
	const { token, decoder, service, openly } = options;

	async function receive(request: IncomingMessage, response: ServerResponse, form: OtlpForm | undefined) {
		const { signal, given } = askedOf(request);
		if (!isSameSecret(given, token)) throw new AppError('otlp/token', wrongToken(openly));
		// Browsers name where a page comes from; no exporter does.
		if (request.headers.origin !== undefined) throw new AppError('auth/origin');
		if (request.method !== 'POST') throw new AppError('request/method');
		const encoding = request.headers['content-encoding'] ?? 'identity';
		if (form === undefined || !['identity', 'gzip'].includes(encoding)) throw new AppError('otlp/type');
		if (service.isFull()) throw new AppError('otlp/busy');
		const bytes = await new Promise<Buffer | null>((resolve) => readBytes(request, MAX_SENT, resolve));
		if (bytes === null) throw new AppError('otlp/too-large');
		const decoded = await decoder.decode({ signal, form, isZipped: encoding === 'gzip', bytes });
		if ('refused' in decoded) throw new AppError(decoded.refused, decoded.why);
		const { records, rejected, facts } = decoded;
		await service.take(facts);
		service.count({ records, rejected });
		send(response, 200, form, exportAnswer(form, signal, rejected, TOO_MANY));
	}

	return async (request, response) => {
		const form = formOf(request);
		try {
			await receive(request, response, form);
		} catch (thrown) {
			const error = thrown instanceof AppError ? thrown : new AppError('server/failed');
			service.count({ refused: 1 });
			// What is left of a body that nobody reads must not stand before the next request.
			response.setHeader('connection', 'close');
			if (error.status === 401) response.setHeader('www-authenticate', 'Bearer');
			if (error.status === 503) response.setHeader('retry-after', '1');
			send(response, error.status, form ?? 'json', refusalAnswer(form ?? 'json', asTyped(error.message, openly.name)));
		}
	};
}

/** Run without this server's home the command would make a token of another one. */
function wrongToken({ where }: OpenName): string | undefined {
	return where === '' ? undefined : errors['otlp/token'].say.replace(' to give', `${where}, to give`);
}

function askedOf({ url = '', headers }: IncomingMessage): { signal: Signal; given: string } {
	const { signal: named, token } = PATH.exec(url.split('?', 1)[0] ?? '')?.groups ?? {};
	const signal = SIGNALS.find((each) => each === named);
	if (!signal) throw new AppError('route/not-found');
	return { signal, given: token ?? /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '' };
}

function formOf({ headers }: IncomingMessage): OtlpForm | undefined {
	const [type] = (headers['content-type'] ?? '').toLowerCase().split(';', 1);
	return (Object.keys(FORM_TYPES) as OtlpForm[]).find((form) => FORM_TYPES[form] === type?.trim());
}

function send(response: ServerResponse, status: number, form: OtlpForm, body: Uint8Array): void {
	if (response.headersSent || response.destroyed) return;
	const length = body.byteLength;
	response.writeHead(status, {
		'content-type': FORM_TYPES[form],
		'content-length': length,
		'cache-control': 'no-store',
	});
	response.end(body);
}

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
