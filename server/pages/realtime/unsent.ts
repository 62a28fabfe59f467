import type { Log } from '../../process/log.ts';
import type { ServerSocket } from './socket-types.ts';

/** How much one client has not taken yet. */
export interface Unsent {
	/** Waiting in this process; what the kernel took is not counted. */
	bytes(): number;
	items(): number;
	/** Calls `then` once `ready` says so, asked whenever the client took something; else `stalled` after `withinMs`. */
	whenReady(ready: () => boolean, withinMs: number, then: () => void, stalled: () => void): void;
}

/** What engine.io tells of a packet; one that goes to many comes with its frame, made once for all of them. */
interface Packet {
	data?: unknown;
	options?: { wsPreEncodedFrame?: readonly Buffer[] };
}

export function bytesOf({ data, options }: Packet): number {
	const frame = options?.wsPreEncodedFrame;
	if (frame) return frame.reduce((sum, { length }) => sum + length, 0);
	return typeof data === 'string' ? Buffer.byteLength(data) : 0;
}

interface Load {
	bytes: number;
	items: number;
}

/**
 * Follows a connection's packets: engine.io hands all queued ones to the transport at a flush, and flushes again
 * only when the kernel has taken them. socket.io itself queues for a stalled client without end.
 */
export function createUnsent(socket: ServerSocket): Unsent {
	const { conn } = socket;
	let queued: Load = { bytes: 0, items: 0 };
	let inFlight: Load = { bytes: 0, items: 0 };
	conn.on('packetCreate', (packet: Packet) => {
		queued = { bytes: queued.bytes + bytesOf(packet), items: queued.items + 1 };
	});
	conn.on('flush', () => {
		inFlight = queued;
		queued = { bytes: 0, items: 0 };
	});
	const sum = (field: keyof Load) => queued[field] + (conn.transport.writable ? 0 : inFlight[field]);

	return {
		bytes: () => sum('bytes'),
		items: () => sum('items'),
		whenReady(ready, withinMs, then, stalled) {
			let open = true;
			const finish = (call: () => void) => {
				if (!open) return;
				open = false;
				conn.transport.off('drain', look);
				conn.off('close', stop);
				clearTimeout(timer);
				call();
			};
			// The transport tells that it drained before it calls itself writable.
			const look = () => setImmediate(() => ready() && finish(then));
			const stop = () => finish(() => undefined);
			const timer = setTimeout(() => finish(stalled), withinMs);
			timer.unref();
			conn.transport.on('drain', look);
			conn.on('close', stop);
		},
	};
}

/** How much a slow client may cost before it is left out. */
export interface Budget {
	/** More waiting than this: pushing stops and the client is told to subscribe again. */
	bytes: number;
	items: number;
	/** A client takes more again when less than this part of both is waiting. */
	resumeAt: number;
	/** A client that takes nothing for so many milliseconds is disconnected. */
	stallMs: number;
	/** A client with more bytes than this waiting is disconnected at once, whatever they are. */
	most: number;
	/** If more than this waits for all of them, those for which most is waiting are disconnected. */
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

const meters = new WeakMap<ServerSocket, Unsent>();

function meterOf(socket: ServerSocket): Unsent {
	const known = meters.get(socket);
	if (known) return known;
	const made = createUnsent(socket);
	meters.set(socket, made);
	return made;
}

/** What waits for the client, in bytes; the first call, at the connection, starts to count. */
export const unsentBytes = (socket: ServerSocket): number => meterOf(socket).bytes();

/** Ends a connection whose other side reads nothing: a polite close would wait for it. */
export const cut = (socket: ServerSocket): void => void socket.conn.request.socket.destroy();

export function isOverBudget(socket: ServerSocket, budget: Budget): boolean {
	const unsent = meterOf(socket);
	return unsent.bytes() > budget.bytes || unsent.items() > budget.items;
}

/** Calls `send` now or once the client has taken enough; a client that takes nothing is disconnected. */
export function whenReady(socket: ServerSocket, budget: Budget, send: () => void): void {
	const unsent = meterOf(socket);
	const ready = () =>
		unsent.bytes() < budget.bytes * budget.resumeAt && unsent.items() < budget.items * budget.resumeAt;
	if (ready()) return send();
	unsent.whenReady(ready, budget.stallMs, send, () => cut(socket));
}

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
