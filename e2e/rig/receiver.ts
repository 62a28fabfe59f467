import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody else's service that takes notifications as JSON. */
export interface Receiver {
	url: string;
	/** The n-th message, from 0, as soon as it is there. */
	message(n?: number): Promise<Record<string, string>>;
	close(): void;
}

export async function startReceiver(): Promise<Receiver> {
	const told: Record<string, string>[] = [];
	const waiting: (() => void)[] = [];
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		told.push(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, string>);
		response.end();
		for (const wake of waiting.splice(0)) wake();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		async message(n = 0) {
			while (told[n] === undefined) await new Promise<void>((resolve) => waiting.push(resolve));
			return told[n] ?? {};
		},
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
