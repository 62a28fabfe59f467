import type { Log } from '../../process/log.ts';
import { type Budget, cut, unsentBytes } from './budget.ts';
import type { ServerSocket } from './socket-types.ts';
import { bytesOf } from './unsent.ts';

/**
 * Bounds the memory that clients hold which do not read, however it came to be: a single message, or many clients. Over
 * the bound connections end, those for which most is waiting first; a client that lives comes back and asks anew. The
 * function is called with each connection before anything is sent.
 */
export function createUnsentLimit(
	{ most, mostTogether }: Pick<Budget, 'most' | 'mostTogether'>,
	log: Log,
): (socket: ServerSocket) => void {
	const sockets = new Set<ServerSocket>();
	/** No more than this waits for all of them: what they take is only found out when it is counted. */
	let atMost = 0;

	const end = (socket: ServerSocket, bytes: number) => {
		sockets.delete(socket);
		cut(socket);
		log.warn('realtime: a viewer that does not read was disconnected', { bytes });
	};
	const endLargest = () => {
		const loads = [...sockets].map((socket) => ({ socket, bytes: unsentBytes(socket) }));
		atMost = loads.reduce((sum, { bytes }) => sum + bytes, 0);
		for (const { socket, bytes } of loads.sort((a, b) => b.bytes - a.bytes)) {
			if (atMost <= mostTogether) return;
			end(socket, bytes);
			atMost -= bytes;
		}
	};

	return (socket) => {
		unsentBytes(socket);
		sockets.add(socket);
		socket.conn.on('packetCreate', (packet) => {
			if (!sockets.has(socket)) return;
			atMost += bytesOf(packet);
			const bytes = unsentBytes(socket);
			if (bytes > most) end(socket, bytes);
			if (atMost > mostTogether) endLargest();
		});
		socket.on('disconnect', () => sockets.delete(socket));
	};
}
