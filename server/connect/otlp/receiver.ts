import type { IncomingMessage, ServerResponse } from 'node:http';
import { Worker } from 'node:worker_threads';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { AppError, errors } from '#lib/contract/errors.ts';
import { SIGNALS, type Signal } from '#lib/otlp/otlp-record.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import { isSameSecret } from '../../access/principal.ts';
import { readBytes } from '../../door/exchange.ts';
import type { GateOptions } from '../../http/front-gate.ts';
import type { OpenName } from '../../process/program-name.ts';
import type { DecodedBody, OtlpBody, OtlpForm } from './decode-body.ts';
import { createTelemetryService, type TelemetryService } from './telemetry-service.ts';
import { openTelemetryToken } from './telemetry-token.ts';

const MAX_SENT = 4 * 1024 * 1024;
const TOO_MANY = 'More records than are read at once, or some that are none';
/** `/v1/logs`, and for clients that send no headers of their own `/otlp/TOKEN/v1/logs`. */
const PATH = /^(?:\/otlp\/(?<token>[^/]{1,200}))?\/v1\/(?<signal>logs|metrics|traces)$/;

const isTelemetryPath = (path: string): boolean => PATH.test(path);

/** Receives OTLP over HTTP from clients on this machine. Answers every request; never throws. */
export function createReceiver(options: {
	token: string;
	decoder: Decoder;
	service: TelemetryService;
	openly: OpenName;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
	const { token, decoder, service, openly } = options;

	async function receive(request: IncomingMessage, response: ServerResponse, form: OtlpForm | undefined) {
		const { signal, given } = readRequest(request);
		if (!isSameSecret(given, token)) throw new AppError('otlp/token', wrongToken(openly));
		// Browsers send their origin; no exporter does.
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
		await service.ingest(facts);
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
			// Otherwise the unread rest of the body would precede the next request.
			response.setHeader('connection', 'close');
			if (error.status === 401) response.setHeader('www-authenticate', 'Bearer');
			if (error.status === 503) response.setHeader('retry-after', '1');
			const message = withProgramName(error.message, openly.name);
			send(response, error.status, form ?? 'json', refusalAnswer(form ?? 'json', message));
		}
	};
}

/** Advice with this server's home, or the command would create a token for another one. */
function wrongToken({ where }: OpenName): string | undefined {
	return where === '' ? undefined : errors['otlp/token'].say.replace(' to give', `${where}, to give`);
}

function readRequest({ url = '', headers }: IncomingMessage): { signal: Signal; given: string } {
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

/** The receiver of a home with its decoding thread, ready for the gate. `stop` ends both. */
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

const TIME_LIMIT_MS = 10_000;
const MAX_WAITING = 8;
const MAX_MEGABYTES = 512;

interface Task {
	body: OtlpBody;
	resolve: (decoded: DecodedBody) => void;
	reject: (error: Error) => void;
}

/** Reads bodies on a thread of its own, so that none delays a hook. It starts again after a body that ended it. */
export function createDecoder(options: { longestMs?: number } = {}) {
	const { longestMs = TIME_LIMIT_MS } = options;
	const waiting: Task[] = [];
	let worker: Worker | undefined;
	let current: { task: Task; timer: NodeJS.Timeout } | undefined;

	function start(): Worker {
		const started = new Worker(program(), {
			execArgv: [],
			resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
		});
		started.unref();
		started.on('message', (decoded: DecodedBody) => finishTask((task) => task.resolve(decoded)));
		// A thread ends by itself when its memory cannot hold a body.
		started.on('error', () => lose(started, 'otlp/too-large'));
		started.on('exit', () => lose(started, 'otlp/busy'));
		return started;
	}

	function lose(lost: Worker, code: 'otlp/too-large' | 'otlp/slow' | 'otlp/busy') {
		if (worker !== lost) return;
		worker = undefined;
		void lost.terminate();
		finishTask((task) => task.reject(new AppError(code)));
	}

	function finishTask(how: (task: Task) => void) {
		if (!current) return;
		const { task, timer } = current;
		clearTimeout(timer);
		current = undefined;
		how(task);
		next();
	}

	function next() {
		const task = current ? undefined : waiting.shift();
		if (!task) return;
		worker ??= start();
		const reader = worker;
		current = { task, timer: setTimeout(() => lose(reader, 'otlp/slow'), longestMs) };
		reader.postMessage(task.body);
	}

	return {
		decode(body: OtlpBody): Promise<DecodedBody> {
			if (waiting.length >= MAX_WAITING) return Promise.reject(new AppError('otlp/busy'));
			return new Promise((resolve, reject) => {
				waiting.push({ body, resolve, reject });
				next();
			});
		},
		async stop() {
			for (const task of waiting.splice(0)) task.reject(new AppError('otlp/busy'));
			const ending = worker;
			if (ending) lose(ending, 'otlp/busy');
			await ending?.terminate();
		},
	};
}

export type Decoder = ReturnType<typeof createDecoder>;

function program(): URL {
	return import.meta.url.endsWith('.ts')
		? new URL('./decode-worker-from-source.mjs', import.meta.url)
		: new URL('./decode-worker.js', import.meta.url);
}

const FORM_TYPES: Readonly<Record<OtlpForm, string>> = {
	json: 'application/json',
	protobuf: 'application/x-protobuf',
};

const REJECTED: Readonly<Record<Signal, string>> = {
	logs: 'rejectedLogRecords',
	metrics: 'rejectedDataPoints',
	traces: 'rejectedSpans',
};

/** The body of a 200: nothing, or how many records were rejected and why. */
function exportAnswer(form: OtlpForm, signal: Signal, rejected: number, why: string): Uint8Array {
	if (form === 'json') {
		return asBytes(
			rejected === 0 ? {} : { partialSuccess: { [REJECTED[signal]]: String(rejected), errorMessage: why } },
		);
	}
	const writer = new BinaryWriter();
	if (rejected === 0) return writer.finish();
	writer.tag(1, WireType.LengthDelimited).fork();
	writer.tag(1, WireType.Varint).int64(rejected).tag(2, WireType.LengthDelimited).string(why);
	return writer.join().finish();
}

/** A `google.rpc.Status`; its code says no more than the HTTP status. */
function refusalAnswer(form: OtlpForm, message: string): Uint8Array {
	if (form === 'json') return asBytes({ message });
	return new BinaryWriter().tag(2, WireType.LengthDelimited).string(message).finish();
}

const asBytes = (value: object) => Buffer.from(JSON.stringify(value));
