import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Gate, openGate } from '../testing/gate-fixture.ts';

const open: net.Socket[] = [];
let gate: Gate;
afterEach(async () => {
	for (const socket of open.splice(0)) socket.destroy();
	await gate.close();
});

async function connect(bytes: string): Promise<net.Socket> {
	const socket = net.connect(gate.port, '127.0.0.1').on('error', () => undefined);
	open.push(socket);
	await once(socket, 'connect');
	socket.write(bytes);
	return socket;
}

/** What slow or broken programs leave open: nothing said, half a head, half a body, half of a second request. */
const halves = (host: string) => [
	'',
	'GET / HTTP/1.1\r\nHost: ',
	`POST /login HTTP/1.1\r\nHost: ${host}\r\nOrigin: http://${host}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
	`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\nGET /health HTTP/1.1\r\n`,
];

/** One request over a connection of its own, as a browser that was just opened makes it. */
function askAnew(path: string, headers: http.OutgoingHttpHeaders = {}): Promise<number> {
	const options = { port: gate.port, host: '127.0.0.1', path, agent: false, headers: { host: gate.host, ...headers } };
	return new Promise((resolve, reject) => {
		http.get(options, (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
	});
}

test('500 half-open connections keep nobody out', async () => {
	gate = await openGate();
	const kinds = halves(gate.host);
	await Promise.all(Array.from({ length: 500 }, (_, index) => connect(kinds[index % kinds.length] ?? '')));
	const headers = { authorization: `Bearer ${gate.tokens.viewer}` };
	for (let n = 0; n < 20; n += 1) {
		expect(await askAnew('/login')).toBe(200);
		expect(await askAnew('/api/sessions', headers)).toBe(200);
	}
	const burst = Array.from({ length: 400 }, (_, position) => connect(kinds[position % kinds.length] ?? ''));
	expect(await askAnew('/api/sessions', headers)).toBe(200);
	await Promise.all(burst);
	expect(await askAnew('/api/sessions', headers)).toBe(200);
});

test('of what is open, websockets and requests that are being answered stay; there are 200 websockets at most', async () => {
	const answers: http.ServerResponse[] = [];
	const live = http.createServer().on('upgrade', (_request, socket) => {
		socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
		socket.on('data', (bytes: Buffer) => socket.write(bytes));
		socket.on('error', () => undefined).on('end', () => socket.end());
	});
	gate = await openGate({ live, pages: (_request, response) => void answers.push(response) });
	const bearer = `Authorization: Bearer ${gate.tokens.viewer}\r\n`;
	const upgrade = `GET /socket.io/ HTTP/1.1\r\nHost: ${gate.host}\r\n${bearer}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
	const sockets = await Promise.all(Array.from({ length: 200 }, () => connect(upgrade)));
	await Promise.all(sockets.map((socket) => once(socket, 'data')));
	const page = askAnew('/features', { authorization: `Bearer ${gate.tokens.viewer}` });
	await expect.poll(() => answers.length).toBe(1);
	const more = await connect(upgrade);
	expect(String(await once(more, 'data'))).toMatch(/^HTTP\/1\.1 503 /);
	await Promise.all(Array.from({ length: 500 }, () => connect('')));
	expect(await askAnew('/login')).toBe(200);
	for (const socket of sockets) {
		socket.write('still there');
		expect(String(await once(socket, 'data'))).toBe('still there');
	}
	answers[0]?.end('page');
	expect(await page).toBe(200);
});
