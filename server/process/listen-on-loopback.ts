import http from 'node:http';
import type { Socket } from 'node:net';

/** How long a websocket may take to end once the server closes. */
const LINGER_MS = 1000;

/** Codes of a machine without IPv6, or without it on loopback. */
const NO_IPV6: ReadonlySet<unknown> = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT']);

/**
 * Listens on 127.0.0.1 and, if there is IPv6, on [::1]. If either port is taken it rejects and listens on none: browsers try
 * [::1] first, and would send a sign-in to the other program. Returns the function that closes all within a second.
 */
export async function listenOnLoopback(server: http.Server, port: number): Promise<() => Promise<void>> {
	const open = new Set<Socket>();
	server.on('connection', (socket: Socket) => {
		open.add(socket);
		socket.once('close', () => open.delete(socket));
	});
	await listen(server, port, '127.0.0.1');
	// One server cannot listen on two addresses, so the second passes its connections to the first.
	const six = http.createServer();
	six.removeAllListeners();
	six.on('connection', (socket) => server.emit('connection', socket));
	const both = await listen(six, portOf(server), '::1').then(
		() => true,
		async (error: NodeJS.ErrnoException) => {
			if (NO_IPV6.has(error.code)) return false;
			await close(server);
			throw error;
		},
	);
	return async () => {
		// Node does not count a websocket as a request: it would stay open.
		const cut = setTimeout(() => {
			for (const socket of open) socket.destroy();
		}, LINGER_MS);
		await Promise.all([close(server), both ? close(six) : undefined]);
		clearTimeout(cut);
	};
}

/** The port it listens on: the given one, or the system's choice for 0. */
function portOf(server: http.Server): number {
	const address = server.address();
	if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
	return address.port;
}

function listen(server: http.Server, port: number, host: string): Promise<void> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, () => {
			server.off('error', reject);
			resolve();
		});
	});
}

function close(server: http.Server): Promise<void> {
	return new Promise((resolve) => {
		server.close(() => resolve());
		server.closeAllConnections();
	});
}
