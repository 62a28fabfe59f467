import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { vi } from 'vitest';

/** A request that the stand-in got. */
export interface Got {
	path: string;
	headers: http.IncomingHttpHeaders;
	body: string;
	bytes: Buffer;
}

interface Answered {
	status?: number;
	headers?: Record<string, string>;
	body?: string | Buffer;
}

/** Somebody else's service on loopback: `answer` says status and body for each request, the n-th from 0. */
export async function startService(answer: (got: Got, n: number) => Answered | null | Promise<Answered> = () => ({})) {
	const got: Got[] = [];
	const server = http.createServer(async (request, response) => {
		const chunks: Buffer[] = [];
		for await (const chunk of request) chunks.push(chunk as Buffer);
		const { url: path = '', headers } = request;
		const bytes = Buffer.concat(chunks);
		const one = { path, headers, bytes, body: bytes.toString('utf8') };
		got.push(one);
		const reply = await answer(one, got.length - 1);
		// Null: the other side hangs.
		if (reply) response.writeHead(reply.status ?? 200, reply.headers).end(reply.body ?? '{}');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		got,
		/** Resolves when `count` requests have come in. */
		has: (count: number) => vi.waitUntil(() => got.length >= count, { timeout: 20_000, interval: 5 }),
		async stop() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
