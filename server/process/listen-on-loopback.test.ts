import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterEach, expect, test, vi } from 'vitest';
import { canBeOther, startAsOther } from '../testing/other-user.ts';
import { listenOnLoopback } from './listen-on-loopback.ts';
import { describeTakenPort } from './port-holder.ts';

afterEach(() => vi.restoreAllMocks());

const reaches = (host: string, port: number) =>
	new Promise<boolean>((resolve) => {
		const socket = net.connect({ host, port, timeout: 2000 });
		const end = (answer: boolean) => () => {
			socket.destroy();
			resolve(answer);
		};
		socket.on('connect', end(true)).on('error', end(false)).on('timeout', end(false));
	});

const hasIpv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'));

test('R795 the server is reached by loopback, and by no other address of the machine', async () => {
	const server = http.createServer((_request, response) => response.end('ok'));
	const close = await listenOnLoopback(server, 0);
	const { port, address } = server.address() as AddressInfo;
	expect(address).toBe('127.0.0.1');
	expect(await reaches('127.0.0.1', port)).toBe(true);
	expect(await reaches('::1', port)).toBe(hasIpv6);
	const outside = Object.values(networkInterfaces()).flatMap((found) =>
		(found ?? []).filter(({ internal }) => !internal),
	);
	for (const { address: other } of outside) expect([other, await reaches(other, port)]).toEqual([other, false]);
	await close();
});

/** Listens on [::1] alone, on a port of the system's choice, and says which. */
const SQUATTER = `
	const server = require('node:http').createServer((_, response) => response.end('not Signalbox'));
	server.listen({ host: '::1', port: 0 }, () => console.log(server.address().port));
`;

test.runIf(hasIpv6)('a port that is taken on [::1] alone is taken: the server listens nowhere', async () => {
	const squatter = http.createServer();
	await new Promise<void>((resolve) => squatter.listen(0, '::1', resolve));
	const { port } = squatter.address() as AddressInfo;
	const server = http.createServer();
	await expect(listenOnLoopback(server, port)).rejects.toMatchObject({ code: 'EADDRINUSE', port, address: '::1' });
	expect(await reaches('127.0.0.1', port)).toBe(false);
	await new Promise((resolve) => squatter.close(resolve));
	const close = await listenOnLoopback(server, port);
	expect([await reaches('127.0.0.1', port), await reaches('::1', port)]).toEqual([true, true]);
	await close();
});

test.runIf(hasIpv6 && canBeOther)('another user that holds [::1] at the port is named', async () => {
	const squatter = startAsOther(SQUATTER);
	try {
		const port = Number(await squatter.receivedLine());
		await expect(listenOnLoopback(http.createServer(), port)).rejects.toMatchObject({ code: 'EADDRINUSE', port });
		// Root sees the process, anybody else its user.
		expect(describeTakenPort(port)).toMatch(/taken by process \d+ \(|another user \(user id 65534\)/);
	} finally {
		await squatter.stop();
	}
});

test.each(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])('a machine without IPv6 (%s) is served by IPv4 alone', async (code) => {
	const { listen } = net.Server.prototype;
	vi.spyOn(net.Server.prototype, 'listen').mockImplementation(function (this: net.Server, ...given: unknown[]) {
		if (given[1] !== '::1') return Reflect.apply(listen, this, given);
		queueMicrotask(() => this.emit('error', Object.assign(new Error(code), { code })));
		return this;
	});
	const server = http.createServer();
	const close = await listenOnLoopback(server, 0);
	const { port } = server.address() as AddressInfo;
	expect(await reaches('127.0.0.1', port)).toBe(true);
	await close();
	expect(await reaches('127.0.0.1', port)).toBe(false);
});

test('a websocket that never ends, or was never used, holds up no stop', async () => {
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
