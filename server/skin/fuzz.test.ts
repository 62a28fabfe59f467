import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { type Gate, openGate } from './gate-fixture.ts';

let gate: Gate;
beforeAll(async () => {
	gate = await openGate();
});
afterAll(() => gate.close());

/** What is in use once everything that can go has gone; the runner lives in this process, too. */
const memory = async () => {
	await new Promise(setImmediate);
	collectGarbage();
	return process.memoryUsage().heapUsed;
};
setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

const answersStill = async () => expect((await gate.request('GET', '/health')).status).toBe(200);

const word = fc.string({ unit: 'binary-ascii', maxLength: 40 });
const method = fc.oneof(fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'CONNECT', 'OPTIONS', 'PRI'), word);
const target = fc.oneof(
	fc.webPath(),
	word,
	fc.constantFrom('/', '/login', '/socket.io/?transport=websocket', '//', '/%', '*', 'http://a/', '/api/approvals/x'),
);
const value = fc.oneof(
	word,
	fc.constantFrom(
		'websocket',
		'null',
		'http://[',
		'[::1',
		'[::1]:x',
		':80',
		'chunked',
		'-1',
		'1e9',
		'Bearer',
		'Bearer  ',
		'a=b;;=;',
	),
);
const name = fc.oneof(
	word,
	fc.constantFrom(
		'Host',
		'Origin',
		'Cookie',
		'Authorization',
		'Upgrade',
		'Connection',
		'Content-Length',
		'Transfer-Encoding',
		'Expect',
		'Sec-Fetch-Site',
		'Sec-WebSocket-Key',
		'Accept',
		'Content-Type',
	),
);

test('R147 B3: no request without credentials, however odd, ends the process or reaches a page', async () => {
	const request = fc
		.tuple(method, target, fc.boolean(), fc.array(fc.tuple(name, value), { maxLength: 12 }), word)
		.map(([verb, path, knownHost, headers, body]) =>
			[
				`${verb} ${path} HTTP/1.1`,
				...(knownHost ? [`Host: ${gate.host}`, `Origin: http://${gate.host}`] : []),
				...headers.map(([key, text]) => `${key}: ${text}`),
				'',
				body,
			].join('\r\n'),
		);
	const before = await memory();
	await fc.assert(
		fc.asyncProperty(request, async (bytes) => {
			expect(await gate.raw(bytes)).not.toMatch(/^HTTP\/1\.1 (?:101|5)/);
		}),
		soakRuns('B3 requests', 4000, 80_000),
	);
	await answersStill();
	const grown = (await memory()) - before;
	soakCounts('B3 requests', { 'MiB of heap grown': Math.round(grown / 2 ** 20) });
	expect(grown).toBeLessThan(64 * 2 ** 20);
	expect(gate.reached.pages).toEqual([]);
	expect(gate.reached.live).toEqual([]);
	expect(gate.lines).toEqual([]);
}, 3_600_000);

test('R147 B3: no bytes end the process', async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
			await gate.raw(bytes);
		}),
		soakRuns('B3 bytes', 1000, 20_000),
	);
	await answersStill();
}, 3_600_000);

test('R147 a peer that leaves in the middle of an upgrade ends nothing', async () => {
	const head = `GET /socket.io/?transport=websocket HTTP/1.1\r\nHost: ${gate.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
	await Promise.all(Array.from({ length: 20 }, () => gate.raw(head)));
	await answersStill();
});
