import http from 'node:http';
import type { AddressInfo } from 'node:net';

interface Answer {
	status: number;
	body: Buffer;
}

const refusal = (status: number, code: string): Answer => ({
	status,
	body: Buffer.from(`<Error><Code>${code}</Code><Message>${code}</Message></Error>`),
});

/**
 * A stand-in for an S3 object store, as far as archives need it: put, get (also by range) and delete of whole objects. It keeps
 * everything in memory, and only checks that a request names the key, not its signature. (`s3rver` from npm has had no release
 * since 2021 and does not understand today's client.)
 */
export async function startStandInS3(accessKey = 'test-key') {
	const objects = new Map<string, Buffer>();
	const requests: string[] = [];
	let away = false;
	let broken = 0;
	function answer(request: http.IncomingMessage, body: Buffer): Answer {
		const path = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '').slice(1);
		requests.push(`${request.method} ${path}`);
		if (away) return refusal(503, 'ServiceUnavailable');
		if (!request.headers.authorization?.includes(`Credential=${accessKey}/`)) return refusal(403, 'AccessDenied');
		if (request.method === 'PUT') {
			objects.set(path, body);
			return { status: 200, body: Buffer.alloc(0) };
		}
		if (request.method === 'DELETE') {
			objects.delete(path);
			return { status: 204, body: Buffer.alloc(0) };
		}
		const found = objects.get(path);
		if (!found) return refusal(404, 'NoSuchKey');
		const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
		if (from === undefined) return { status: 200, body: found };
		return { status: 206, body: found.subarray(Number(from), Number(to) + 1) };
	}
	const server = http.createServer((request, response) => {
		const parts: Buffer[] = [];
		request.on('data', (part: Buffer) => parts.push(part));
		request.on('end', () => {
			if (broken > 0) {
				broken -= 1;
				return void request.socket.destroy();
			}
			const { status, body } = answer(request, Buffer.concat(parts));
			response.writeHead(status, { 'content-length': body.length }).end(body);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		/** As in SIGNALBOX_OBJECTS_URL. */
		url: `http://127.0.0.1:${port}/bucket/archives`,
		/** By bucket and key. */
		objects,
		/** The requests received. */
		asked: requests,
		/** Answers 503 to everything until it is switched back. */
		setAway(isAway: boolean) {
			away = isAway;
		},
		/** Breaks so many connections in the middle of a request. */
		breakNext(count: number) {
			broken = count;
		},
		stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
	};
}
