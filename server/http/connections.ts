import type http from 'node:http';
import type { Duplex } from 'node:stream';
import type { UpgradeHandler } from './front-gate.ts';
import { refuseSocket } from './refuse.ts';

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
