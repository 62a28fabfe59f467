import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { TelemetryFact } from '#lib/otlp/telemetry-fact.ts';
import type { OpenName } from '../../process/program-name.ts';
import { createDecoder, createReceiver, type Decoder } from './receiver.ts';

const TOKEN = `sbtel_${'t'.repeat(43)}`;
const folder = join(import.meta.dirname, '../../../e2e/fixtures/otlp');
const recorded = readFileSync(join(folder, 'claude-code-logs.jsonl'));
const authorization = `Bearer ${TOKEN}`;
const JSON_TYPE = { 'content-type': 'application/json' };
const PROTOBUF = { 'content-type': 'application/x-protobuf' };

let server: http.Server;
let decoder: Decoder;
let taken: TelemetryFact[];
let refused: number;

beforeAll(() => serve(createDecoder()));
beforeEach(() => {
	[taken, refused] = [[], 0];
});
afterAll(close);

async function serve(reader: Decoder, where: OpenName['where'] = '') {
	decoder = reader;
	const service = {
		ingest: async (facts: readonly TelemetryFact[]) => void taken.push(...facts),
		count: ({ refused: more = 0 }) => {
			refused += more;
		},
		isFull: () => false,
		counts: () => {
			throw new Error('nobody asks');
		},
		stop: () => undefined,
	};
	const receive = createReceiver({ token: TOKEN, decoder, service, openly: { name: 'npx signalbox', where } });
	server = http.createServer((request, response) => void receive(request, response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
}

async function close() {
	server.closeAllConnections();
	await new Promise((resolve) => server.close(resolve));
	await decoder.stop();
}

async function send(
	path: string,
	body: Buffer | string,
	headers: Record<string, string> = { ...JSON_TYPE, authorization },
	method = 'POST',
) {
	const { port } = server.address() as AddressInfo;
	const request = http.request({ port, host: '127.0.0.1', path, method, headers });
	const answered = new Promise<http.IncomingMessage>((resolve, reject) =>
		request.on('response', resolve).on('error', reject),
	);
	request.end(body);
	const response = await answered;
	const chunks: Buffer[] = [];
	for await (const chunk of response) chunks.push(chunk as Buffer);
	const bytes = Buffer.concat(chunks);
	return { status: response.statusCode, type: response.headers['content-type'], bytes, text: bytes.toString() };
}

test('both forms of OTLP are taken, plain and in gzip, whole and in pieces, and answered in their own', async () => {
	expect(await send('/v1/logs', recorded)).toMatchObject({ status: 200, type: 'application/json', text: '{}' });
	const zipped = { ...JSON_TYPE, authorization, 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' };
	expect(await send('/v1/logs', gzipSync(recorded), zipped)).toMatchObject({ status: 200, text: '{}' });
	const binary = readFileSync(join(folder, 'claude-code-logs.pb'));
	expect(await send('/v1/logs', binary, { ...PROTOBUF, authorization })).toMatchObject({
		status: 200,
		type: 'application/x-protobuf',
		text: '',
	});
	expect(taken.map(({ says }) => says.kind).filter((kind) => kind === 'answer')).toHaveLength(18);
	expect((await send('/v1/metrics', '{"resourceMetrics":[]}')).status).toBe(200);
	const spans = readFileSync(join(folder, 'copilot-spans.jsonl'));
	expect((await send(`/otlp/${TOKEN}/v1/traces`, spans, JSON_TYPE)).status).toBe(200);
	expect(taken.at(-1)?.make).toBe('copilot');
});

test('what of a request was not taken is counted in its answer', async () => {
	const logs = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}, 1, 'x'] }] }] });
	expect(JSON.parse((await send('/v1/logs', logs)).text)).toEqual({
		partialSuccess: { rejectedLogRecords: '2', errorMessage: expect.stringMatching(/read at once/) },
	});
	const spans = JSON.stringify({ resourceSpans: [{ scopeSpans: 7 }] });
	expect(JSON.parse((await send('/v1/traces', spans)).text)).toMatchObject({ partialSuccess: { rejectedSpans: '1' } });
});

test.each([
	['no token', '/v1/logs', JSON_TYPE],
	['another token', '/v1/logs', { ...JSON_TYPE, authorization: `Bearer ${TOKEN}x` }],
	['another scheme', '/v1/logs', { ...JSON_TYPE, authorization: `Basic ${TOKEN}` }],
	['another token in the path', '/otlp/sbtel_x/v1/logs', { ...JSON_TYPE, authorization }],
])('with %s the answer is 401, and says what to do', async (_, path, headers) => {
	const answer = await send(path, recorded, headers);
	expect(answer.status).toBe(401);
	expect(JSON.parse(answer.text).message).toBe(
		'This is not the token for telemetry of this home. Run `npx signalbox init --telemetry` to give the client the right one.',
	);
	expect([taken, refused]).toEqual([[], 1]);
	// A Status of protobuf: its message is field 2.
	const binary = await send(path, recorded, { ...headers, ...PROTOBUF });
	expect([binary.status, binary.type, binary.bytes[0]]).toEqual([401, 'application/x-protobuf', 0x12]);
});

test.each([
	['405', 'GET', '/v1/logs', {}, ''],
	['403', 'POST', '/v1/logs', { origin: 'http://evil.example' }, '{}'],
	['415', 'POST', '/v1/logs', { 'content-type': 'text/plain' }, '{}'],
	['415', 'POST', '/v1/logs', { 'content-encoding': 'br' }, '{}'],
	['400', 'POST', '/v1/logs', {}, '{"resourceLogs":'],
	['400', 'POST', '/v1/logs', PROTOBUF, '{"resourceLogs":[]}'],
	['413', 'POST', '/v1/logs', {}, ' '.repeat(4 * 1024 * 1024 + 1)],
	['413', 'POST', '/v1/logs', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(20 * 1024 * 1024))],
])('%s for %s %s with %o', async (status, method, path, headers, body) => {
	const answer = await send(path, body, { ...JSON_TYPE, authorization, ...headers }, method);
	expect(answer.status).toBe(Number(status));
	expect((await send('/v1/logs', recorded)).status).toBe(200);
});

test('a body that takes too long ends its thread, not the server; the next one is read', async () => {
	await close();
	await serve(createDecoder({ longestMs: 0 }));
	const answer = await send('/v1/logs', recorded);
	expect([answer.status, JSON.parse(answer.text).message]).toEqual([400, expect.stringMatching(/took too long/)]);
	await close();
	await serve(createDecoder());
	const many = await Promise.all(Array.from({ length: 30 }, () => send('/v1/logs', recorded)));
	const statuses = many.map(({ status }) => status);
	expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0);
	expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
});

test('in an unusual home a wrong token gets advice to check it, and not its place', async () => {
	await close();
	await serve(createDecoder(), ", with this server's OVERTONE_HOME");
	const { text } = await send('/v1/logs', recorded, JSON_TYPE);
	expect(JSON.parse(text).message).toContain(
		"Run `npx signalbox init --telemetry`, with this server's OVERTONE_HOME, to give the client the right one.",
	);
});
