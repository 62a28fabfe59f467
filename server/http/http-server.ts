import type { ServerOptions } from 'node:http';
import http from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Auth } from '../access/auth.ts';
import type { Log } from '../process/log.ts';
import type { ApiEnv } from './api-env.ts';
import { createGate, type GateOptions, type RequestHandler, type UpgradeHandler } from './front-gate.ts';
import { refuseSocket } from './refuse.ts';

export interface HttpServerOptions {
	auth: Auth;
	api: Pick<Hono<ApiEnv>, 'fetch'>;
	/** Serves pages; only ever called for a sender who may read. */
	pages: RequestHandler;
	/** A server that never listens and has Next's upgrade listener; used in dev only. */
	nextUpgrades: http.Server;
	/** A server that never listens and has socket.io's upgrade listener. */
	ioUpgrades: http.Server;
	telemetry: GateOptions['telemetry'];
	/** What somebody who is not signed in types to run our command. */
	program: string;
	dev: boolean;
	log: Log;
}

/** Hands an upgrade to a server that never listens, as if it had come in there. */
const emitTo =
	(server: http.Server): UpgradeHandler =>
	(request, socket, head) =>
		void server.emit('upgrade', request, socket, head);

/**
 * The only server that listens on TCP. Not listening yet: the caller binds it to loopback. It owns the one real
 * `upgrade` listener, because Next would otherwise add its own and let strangers in.
 */
export function createHttpServer(options: HttpServerOptions): http.Server {
	const { auth, api, pages, nextUpgrades, ioUpgrades, telemetry, program, dev, log } = options;
	const server = http.createServer(SERVER_LIMITS);
	const { keeping } = guardConnections(server);
	const gate = createGate({
		auth,
		pages,
		api: getRequestListener(api.fetch, { overrideGlobalObjects: false }),
		liveUpgrades: keeping(emitTo(ioUpgrades)),
		telemetry,
		...(dev ? { devUpgrades: keeping(emitTo(nextUpgrades)) } : {}),
		program,
		dev,
		log,
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

/** How many connections may be open that ask for pages and data, and beside them how many websockets. */
const MOST = 200;

/** A connection's requests that have no whole answer yet; one whose own end has not come is no request so far. */
type Exchanges = Set<http.IncomingMessage>;

const isBusy = (exchanges: Exchanges) => exchanges.size > 0 && [...exchanges].every(({ complete }) => complete);

/**
 * Bounds what is open at a server: Node's own bound would keep out whoever comes last. The newest always gets in; for it
 * the connection goes that has longest said nothing whole (no request, half of one, or none since its last answer). What
 * is being answered stays, and so does a websocket.
 */
export function guardConnections(server: http.Server) {
	const idle = new Map<Duplex, Exchanges>();
	const live = new Set<Duplex>();
	let isLooking = false;

	function makeRoom() {
		isLooking = false;
		for (const [socket, exchanges] of idle) {
			if (idle.size <= MOST) return;
			if (!isBusy(exchanges)) drop(socket);
		}
		for (const socket of [...idle.keys()].slice(MOST)) drop(socket);
	}

	function drop(socket: Duplex) {
		idle.delete(socket);
		socket.destroy();
	}

	server.on('connection', (socket) => {
		idle.set(socket, new Set());
		socket.once('close', () => idle.delete(socket));
		if (idle.size <= MOST || isLooking) return;
		isLooking = true;
		// What came in together with many others is read before anybody chooses.
		setImmediate(() => setImmediate(makeRoom));
	});
	server.on('request', (request, response) => {
		const { socket } = request;
		const exchanges = idle.get(socket);
		if (!exchanges) return;
		exchanges.add(request);
		response.once('close', () => {
			exchanges.delete(request);
			// Last in the order: it has just been heard of.
			if (idle.delete(socket)) idle.set(socket, exchanges);
		});
	});

	return {
		/** Hands over an upgrade that was let in; refuses it where there are too many already. */
		keeping:
			(handOver: UpgradeHandler): UpgradeHandler =>
			(request, socket, head) => {
				if (live.size >= MOST) return refuseSocket(socket, 503);
				idle.delete(socket);
				live.add(socket);
				socket.once('close', () => live.delete(socket));
				handOver(request, socket, head);
			},
	};
}

const REQUEST_MS = 30_000;

/** Of every server that listens on TCP: how long somebody may take to say what they want, and how long its headers may be. */
export const SERVER_LIMITS = {
	maxHeaderSize: 16 * 1024,
	requestTimeout: REQUEST_MS,
	headersTimeout: REQUEST_MS / 3,
	connectionsCheckingInterval: 1000,
} as const satisfies ServerOptions;
