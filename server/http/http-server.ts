import http, { type ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { ApiEnv } from './api-env.ts';
import { createGate, type GateOptions, type UpgradeHandler } from './front-gate.ts';
import { refuseSocket } from './refuse.ts';

/** `nextUpgrades` and `ioUpgrades` never listen; they have the upgrade listeners of Next (in dev) and of socket.io. */
export interface HttpServerOptions extends Omit<GateOptions, 'api' | 'liveUpgrades' | 'devUpgrades'> {
	api: Pick<Hono<ApiEnv>, 'fetch'>;
	nextUpgrades: http.Server;
	ioUpgrades: http.Server;
}

const emitTo =
	(server: http.Server): UpgradeHandler =>
	(request, socket, head) =>
		void server.emit('upgrade', request, socket, head);

/** The only server that listens on TCP. It owns the one `upgrade` listener: Next's would admit unchecked requests. */
export function createHttpServer(options: HttpServerOptions): http.Server {
	const { api, nextUpgrades, ioUpgrades, ...forGate } = options;
	const server = http.createServer(SERVER_LIMITS);
	const { limitUpgrades } = guardConnections(server);
	const gate = createGate({
		...forGate,
		api: getRequestListener(api.fetch, { overrideGlobalObjects: false }),
		liveUpgrades: limitUpgrades(emitTo(ioUpgrades)),
		...(options.dev ? { devUpgrades: limitUpgrades(emitTo(nextUpgrades)) } : {}),
	});
	server.on('request', (request, response) => void gate.handleRequest(request, response));
	server.on('upgrade', (request, socket, head) => void gate.handleUpgrade(request, socket, head));
	server.on('clientError', (error: NodeJS.ErrnoException, socket) => refuseSocket(socket, statusOf(error)));
	server.on('connection', (socket: Socket) => socket.setNoDelay(true));
	return server;
}

function statusOf({ code }: NodeJS.ErrnoException): number {
	if (code === 'HPE_HEADER_OVERFLOW') return 431;
	return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
}

/** The most connections for pages and data, and the most websockets. */
const MAX_CONNECTIONS = 200;

/** Requests of a connection that are not answered completely. */
type OpenRequests = Set<http.IncomingMessage>;

/** Whether it waits for us: all requests have arrived. One that sends its request slowly is not busy. */
const isBusy = (requests: OpenRequests) => requests.size > 0 && [...requests].every(({ complete }) => complete);

/** Node's own limit would refuse the newest connection; this one drops the connection that has been idle longest. */
export function guardConnections(server: http.Server) {
	/** Connections for pages and data; the one that was answered last is at the end. */
	const connections = new Map<Duplex, OpenRequests>();
	const websockets = new Set<Duplex>();
	let isDropDue = false;

	function makeRoom() {
		isDropDue = false;
		for (const [socket, requests] of connections) {
			if (connections.size <= MAX_CONNECTIONS) return;
			if (!isBusy(requests)) drop(socket);
		}
		for (const socket of [...connections.keys()].slice(MAX_CONNECTIONS)) drop(socket);
	}

	function drop(socket: Duplex) {
		connections.delete(socket);
		socket.destroy();
	}

	server.on('connection', (socket) => {
		connections.set(socket, new Set());
		socket.once('close', () => connections.delete(socket));
		if (connections.size <= MAX_CONNECTIONS || isDropDue) return;
		isDropDue = true;
		// Two turns later the requests that came with new connections are read, so these are not dropped as idle.
		setImmediate(() => setImmediate(makeRoom));
	});
	server.on('request', (request, response) => {
		const { socket } = request;
		const requests = connections.get(socket);
		if (!requests) return;
		requests.add(request);
		response.once('close', () => {
			requests.delete(request);
			if (connections.delete(socket)) connections.set(socket, requests);
		});
	});

	return {
		limitUpgrades:
			(handOver: UpgradeHandler): UpgradeHandler =>
			(request, socket, head) => {
				if (websockets.size >= MAX_CONNECTIONS) return refuseSocket(socket, 503);
				connections.delete(socket);
				websockets.add(socket);
				socket.once('close', () => websockets.delete(socket));
				handOver(request, socket, head);
			},
	};
}

const REQUEST_MS = 30_000;

export const SERVER_LIMITS = {
	maxHeaderSize: 16 * 1024,
	requestTimeout: REQUEST_MS,
	headersTimeout: REQUEST_MS / 3,
	connectionsCheckingInterval: 1000,
	// Proxies reuse a connection for 60 s: one that is closed here meanwhile would cost a request.
	keepAliveTimeout: 65_000,
} as const satisfies ServerOptions;
