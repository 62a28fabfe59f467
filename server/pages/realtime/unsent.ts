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
