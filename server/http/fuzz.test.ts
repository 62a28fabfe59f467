import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routeTable } from '#lib/contract/routes/route-table.ts';
import { anyText } from '#lib/text/testing/any-text.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { type Gate, openGate } from '../testing/gate-fixture.ts';

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

test('B3: no request without credentials, however odd, ends the process or reaches a page', async () => {
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
		soakRuns('B3 requests', 500, 80_000),
	);
	await answersStill();
	const grown = (await memory()) - before;
	soakCounts('B3 requests', { 'MiB of heap grown': Math.round(grown / 2 ** 20) });
	expect(grown).toBeLessThan(64 * 2 ** 20);
	expect(gate.reached.pages).toEqual([]);
	expect(gate.reached.live).toEqual([]);
	expect(gate.lines).toEqual([]);
}, 3_600_000);

test('B3: no bytes end the process', async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), async (bytes) => {
			await gate.raw(bytes);
		}),
		soakRuns('B3 bytes', 150, 20_000),
	);
	await answersStill();
}, 3_600_000);

/** What the services of the fixture throw once a request has got through to them. */
const ARRIVED = /(?:decided|granted|revoked|made|asked for|read|moved|acted on|assessed|switched|subtasks)\b/;

test('B3: no request of an operator, however odd its path, query and body, fails in a way of its own', async () => {
	const own = await openGate();
	const headers = { authorization: `Bearer ${own.tokens.operator}`, 'content-type': 'application/json' };
	const json = fc.oneof(
		fc.json({ maxDepth: 4 }),
		word,
		fc.constantFrom('', '{', '{"decision":"approve"}', '[]', 'null'),
	);
	const text = fc.oneof(anyText({ maxLength: 30 }), fc.constantFrom('s1', '_home', 'approval-1', '-1', '1e9'));
	const query = fc.dictionary(
		fc.constantFrom('after', 'before', 'limit', 'row', 'state', 'scope', 'similarTo', 'x'),
		text,
	);
	const failed = new Set<string>();
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(...routeTable),
			fc.array(text, { minLength: 3, maxLength: 3 }),
			query,
			json,
			async (route, parts, query, body) => {
				let nth = 0;
				const path = route.path.replaceAll(
					/:\w+/g,
					() => encodeURIComponent((parts[nth++] ?? '').replaceAll(/\p{Cs}/gu, '')) || 'x',
				);
				own.lines.length = 0;
				const target = `${path}?${new URLSearchParams(query)}`;
				const { status } = await own.request(route.method, target, headers, route.method === 'POST' ? body : undefined);
				if (status >= 500 && !own.lines.some((line) => ARRIVED.test(line)))
					failed.add(`${route.method} ${route.path}: ${own.lines[0]}`);
			},
		),
		soakRuns('B3 operator', 100, 20_000),
	);
	expect((await own.request('GET', '/health')).status).toBe(200);
	await own.close();
	expect([...failed]).toEqual([]);
}, 3_600_000);

test('a peer that leaves in the middle of an upgrade ends nothing', async () => {
	const head = `GET /socket.io/?transport=websocket HTTP/1.1\r\nHost: ${gate.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
	await Promise.all(Array.from({ length: 20 }, () => gate.raw(head)));
	await answersStill();
});
