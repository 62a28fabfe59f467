import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's service that takes notifications. */
export interface Receiver {
	url: string;
	/** The n-th message, from 0, as soon as it is there, as JSON. */
	message(n?: number): Promise<Record<string, string>>;
	/** As it came. */
	bytes(n?: number): Promise<Buffer>;
	close(): void;
}

export async function startReceiver(): Promise<Receiver> {
	const bodies: Buffer[] = [];
	const waiting: (() => void)[] = [];
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		bodies.push(Buffer.concat(chunks));
		response.writeHead(201).end();
		for (const wake of waiting.splice(0)) wake();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const bytes = async (n = 0): Promise<Buffer> => {
		while (bodies[n] === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
		return bodies[n] ?? Buffer.alloc(0);
	};
	return {
		url: `http://127.0.0.1:${port}/`,
		bytes,
		message: async (n) => JSON.parse((await bytes(n)).toString('utf8')) as Record<string, string>,
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
