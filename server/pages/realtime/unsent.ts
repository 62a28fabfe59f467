import type { Log } from '../../process/log.ts';
import type { ServerSocket } from './socket-types.ts';

/** How much memory a slow client may use before it is disconnected. */
export interface Budget {
	/** With more waiting, sending stops and the client is asked to subscribe again. */
	bytes: number;
	items: number;
	/** Sending resumes when less than this share is waiting. */
	resumeAt: number;
	/** A client that reads nothing for so many milliseconds is disconnected. */
	stallMs: number;
	/** A client with more bytes waiting is disconnected at once. */
	most: number;
	/** If all together have more waiting, those with the most are disconnected. */
	mostTogether: number;
}

export const defaultBudget: Budget = {
	bytes: 1024 * 1024,
	items: 1000,
	resumeAt: 0.25,
	stallMs: 10_000,
	most: 64 * 1024 * 1024,
	mostTogether: 128 * 1024 * 1024,
};

/** Ends a connection whose peer reads nothing: a polite close would wait for it. */
const cut = (socket: ServerSocket): void => void socket.conn.request.socket.destroy();

export function isOverBudget(socket: ServerSocket, budget: Budget): boolean {
	const unsent = unsentOf(socket);
	return unsent.bytes() > budget.bytes || unsent.items() > budget.items;
}

/** Calls `send` now or once the client has read enough; a client that reads nothing is disconnected. */
export function whenReady(socket: ServerSocket, budget: Budget, send: () => void): void {
	const unsent = unsentOf(socket);
	const isReady = () =>
		unsent.bytes() < budget.bytes * budget.resumeAt && unsent.items() < budget.items * budget.resumeAt;
	if (isReady()) return send();
	unsent.whenReady(isReady, budget.stallMs, send, () => cut(socket));
}

/** Over the limit, those clients with most waiting are disconnected. Call it with each connection first. */
export function createUnsentLimit(
	{ most, mostTogether }: Pick<Budget, 'most' | 'mostTogether'>,
	log: Log,
): (socket: ServerSocket) => void {
	const sockets = new Set<ServerSocket>();
	/** An upper bound of what waits for all clients; what they have read is known only after counting. */
	let atMost = 0;

	function end(socket: ServerSocket, bytes: number): void {
		sockets.delete(socket);
		cut(socket);
		log.warn('realtime: a viewer that does not read was disconnected', { bytes });
	}

	function endLargest(): void {
		const loads = [...sockets].map((socket) => ({ socket, bytes: unsentOf(socket).bytes() }));
		atMost = loads.reduce((sum, { bytes }) => sum + bytes, 0);
		for (const { socket, bytes } of loads.sort((a, b) => b.bytes - a.bytes)) {
			if (atMost <= mostTogether) return;
			end(socket, bytes);
			atMost -= bytes;
		}
	}

	return (socket) => {
		const unsent = unsentOf(socket);
		sockets.add(socket);
		socket.conn.on('packetCreate', (packet) => {
			if (!sockets.has(socket)) return;
			atMost += bytesOf(packet);
			if (unsent.bytes() > most) end(socket, unsent.bytes());
			if (atMost > mostTogether) endLargest();
		});
		socket.on('disconnect', () => sockets.delete(socket));
	};
}

const counters = new WeakMap<ServerSocket, ReturnType<typeof countUnsent>>();

/** The first call, at the connection, starts the count. */
function unsentOf(socket: ServerSocket) {
	const known = counters.get(socket) ?? countUnsent(socket);
	counters.set(socket, known);
	return known;
}

/** A packet of engine.io; one for many clients is encoded once. */
interface Packet {
	data?: unknown;
	options?: { wsPreEncodedFrame?: readonly Buffer[] };
}

function bytesOf({ data, options }: Packet): number {
	const frame = options?.wsPreEncodedFrame;
	if (frame) return frame.reduce((sum, { length }) => sum + length, 0);
	return typeof data === 'string' ? Buffer.byteLength(data) : 0;
}

/**
 * Counts what waits for one client. engine.io flushes again only when the kernel has taken the last packets, and socket.io queues
 * without end.
 */
function countUnsent({ conn }: ServerSocket) {
	let queued = { bytes: 0, items: 0 };
	let inFlight = { bytes: 0, items: 0 };
	conn.on('packetCreate', (packet: Packet) => {
		queued = { bytes: queued.bytes + bytesOf(packet), items: queued.items + 1 };
	});
	conn.on('flush', () => {
		inFlight = queued;
		queued = { bytes: 0, items: 0 };
	});
	const sum = (field: 'bytes' | 'items') => queued[field] + (conn.transport.writable ? 0 : inFlight[field]);

	return {
		bytes: () => sum('bytes'),
		items: () => sum('items'),
		/** Calls `then` once `isReady`, checked whenever the client read something; else `stalled` after `withinMs`. */
		whenReady(isReady: () => boolean, withinMs: number, then: () => void, stalled: () => void): void {
			let open = true;
			const finish = (call: () => void) => {
				if (!open) return;
				open = false;
				conn.transport.off('drain', check);
				conn.off('close', stop);
				clearTimeout(timer);
				call();
			};
			// The transport emits "drain" before it calls itself writable.
			const check = () => setImmediate(() => isReady() && finish(then));
			const stop = () => finish(() => undefined);
			const timer = setTimeout(() => finish(stalled), withinMs);
			timer.unref();
			conn.transport.on('drain', check);
			conn.on('close', stop);
		},
	};
}
