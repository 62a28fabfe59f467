import net from 'node:net';

/** A proxy in front of servers on loopback. It knows nothing of what goes through it. */
export interface TcpFront {
	port: number;
	/** Ends all connections at once, and takes none until it is mended. */
	cut(): void;
	mend(): void;
	stop(): Promise<void>;
}

/** Starts one; each connection goes to the next of these ports, and to the one after it where nobody listens. */
export async function startTcpFront(ports: readonly number[]): Promise<TcpFront> {
	const sockets = new Set<net.Socket>();
	let isCut = false;
	let next = 0;

	const track = (socket: net.Socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	};

	function connectTo(client: net.Socket, from: number, left: number) {
		const port = ports[from % ports.length] ?? 0;
		const server = net.connect({ port, host: '127.0.0.1' });
		track(server);
		let isOpen = false;
		server.once('connect', () => {
			isOpen = true;
			client.pipe(server).pipe(client);
		});
		server.on('error', () => {
			if (!isOpen && left > 1 && !client.destroyed) connectTo(client, from + 1, left - 1);
			else client.destroy();
		});
		server.on('close', () => isOpen && client.destroy());
		client.on('close', () => server.destroy());
	}

	const front = net.createServer((client) => {
		client.on('error', () => undefined);
		if (isCut) return void client.destroy();
		track(client);
		next += 1;
		connectTo(client, next, ports.length);
	});
	await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
	const address = front.address();
	const cut = () => {
		isCut = true;
		for (const socket of sockets) socket.destroy();
	};
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		cut,
		mend() {
			isCut = false;
		},
		async stop() {
			cut();
			await new Promise((resolve) => front.close(resolve));
		},
	};
}
