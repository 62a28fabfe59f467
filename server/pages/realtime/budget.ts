import type { ServerSocket } from './socket-types.ts';
import { createUnsent, type Unsent } from './unsent.ts';

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
