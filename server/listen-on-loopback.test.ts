import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { listenOnLoopback } from './listen-on-loopback.ts';

const reaches = (host: string, port: number) =>
	new Promise<boolean>((resolve) => {
		const socket = net.connect({ host, port, timeout: 2000 });
		const end = (answer: boolean) => () => {
			socket.destroy();
			resolve(answer);
		};
		socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
	});

test('R795 the server is reached by loopback, and by no other address of the machine', async () => {
	const server = http.createServer((_request, response) => response.end('ok'));
	const close = await listenOnLoopback(server, 0);
	const { port, address } = server.address() as AddressInfo;
	expect(address).toBe('127.0.0.1');
	expect(await reaches('127.0.0.1', port)).toBe(true);
	const outside = Object.values(networkInterfaces()).flatMap((found) =>
		(found ?? []).filter(({ internal }) => !internal),
	);
	for (const { address: other } of outside) expect([other, await reaches(other, port)]).toEqual([other, false]);
	await close();
});

test('R1011 a websocket that never ends, or was never used, holds up no stop', async () => {
	const server = http.createServer();
	server.on('upgrade', (_request, socket) => {
		socket.on('error', () => undefined);
		socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
	});
	const close = await listenOnLoopback(server, 0);
	const { port } = server.address() as AddressInfo;
	const request = http.get({ port, host: '127.0.0.1', headers: { connection: 'Upgrade', upgrade: 'websocket' } });
	const ended = new Promise<void>((resolve) => {
		request.on('upgrade', (_response, socket) => {
			socket.on('error', () => undefined).on('close', resolve);
			void close();
		});
	});
	await ended;
	await close();
	expect(server.listening).toBe(false);
});
