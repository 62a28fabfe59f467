import http from 'node:http';
import { Server as SocketServer } from 'socket.io';
import type { RealtimeServer } from './socket-types.ts';

/** A websocket message from a browser is a subscription; anything larger is a mistake or an attack. */
const LARGEST_MESSAGE = 64 * 1024;

/** socket.io on a server that never listens: the gate hands it the upgrades that it has checked. */
export function createRealtime(): { io: RealtimeServer; upgrades: http.Server } {
	const upgrades = http.createServer();
	const io: RealtimeServer = new SocketServer(upgrades, {
		serveClient: false,
		transports: ['websocket'],
		perMessageDeflate: false,
		maxHttpBufferSize: LARGEST_MESSAGE,
	});
	return { io, upgrades };
}
