import http from 'node:http';

/**
 * Binds a server to 127.0.0.1 and, where the machine has it, to [::1] (rule S1: loopback only). Gives the function
 * that closes both. Rejects with the system's error when the IPv4 port is taken.
 */
export async function listenOnLoopback(server: http.Server, port: number): Promise<() => Promise<void>> {
	await listen(server, port, '127.0.0.1');
	// One server cannot listen on two addresses, so the second hands its connections to the first.
	const six = http.createServer();
	six.removeAllListeners();
	six.on('connection', (socket) => server.emit('connection', socket));
	const both = await listen(six, port, '::1').then(
		() => true,
		() => false,
	);
	return async () => {
		await Promise.all([close(server), both ? close(six) : undefined]);
	};
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
