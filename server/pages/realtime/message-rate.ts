import type { ServerSocket } from './socket-types.ts';

/** A page asks for a few things when it opens or comes back; nobody needs more (rule S8). */
const PER_SECOND = 50;

/** Ends a connection that says more than fifty things within a second. `steady` is a clock that nobody sets, in ms. */
export function limitMessages(socket: ServerSocket, steady: () => number): void {
	let since = steady();
	let count = 0;
	socket.use((_message, next) => {
		const now = steady();
		if (now - since >= 1000) [since, count] = [now, 0];
		count += 1;
		if (count <= PER_SECOND) return next();
		socket.disconnect(true);
	});
}
