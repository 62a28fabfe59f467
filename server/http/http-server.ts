import http from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Auth } from '../access/auth.ts';
import type { Log } from '../process/log.ts';
import type { ApiEnv } from './api-env.ts';
import { guardConnections } from './connections.ts';
import { createGate, type GateOptions, type RequestHandler, type UpgradeHandler } from './front-gate.ts';
import { refuseSocket } from './refuse.ts';
import { SERVER_LIMITS } from './server-limits.ts';

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
