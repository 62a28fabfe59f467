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
 * A stand-in for an object store that speaks S3, as far as archives need it: whole objects are put, got (by range, too) and
 * deleted, and each request must be signed by the one key. No real store: it checks no signature, and keeps all in memory.
 * (`s3rver` from npm has seen no release since 2021 and does not know what today's client sends.)
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
		/** As SIGNALBOX_OBJECTS_URL names it. */
		url: `http://127.0.0.1:${port}/bucket/archives`,
		/** By bucket and key. */
		objects,
		/** What it was asked for. */
		asked: requests,
		/** Answers nothing but 503 until it is switched back. */
		setAway(isAway: boolean) {
			away = isAway;
		},
		/** Ends so many connections in the middle of a request. */
		breakNext(count: number) {
			broken = count;
		},
		stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
	};
}
