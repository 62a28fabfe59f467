import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf, sendStream, sendWhole } from './messages-reply.ts';
import { type MessagesRequest, readRequest } from './messages-request.ts';
import { nextReply, type Script, type ScriptedRequest } from './script.ts';

/** A Messages API on loopback that plays a script to a real client. */
export interface ScriptedApi {
	/** For ANTHROPIC_BASE_URL. */
	url: string;
	/** Every request for a reply so far, in order of arrival. */
	requests: readonly ScriptedRequest[];
	/** Resolves with the first request, past or future, that fits. */
	request(fits: (request: ScriptedRequest) => boolean): Promise<ScriptedRequest>;
	close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString('utf8');
}

function seedOf(body: string): string {
	return createHash('sha256').update(body).digest('hex').slice(0, 20);
}

function conversationOf(body: MessagesRequest, request: ScriptedRequest): string {
	return JSON.stringify([request.role, request.agentId, request.turn, body.messages]);
}

/** Starts the API on a free port of 127.0.0.1. */
export async function startScriptedApi(script: Script): Promise<ScriptedApi> {
	const requests: ScriptedRequest[] = [];
	const waiting = new Set<(request: ScriptedRequest) => void>();

	async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const body = JSON.parse(await readBody(request)) as MessagesRequest;
		if (request.url?.includes('/count_tokens')) {
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":100}');
			return;
		}
		const seen = readRequest(body, request.headers);
		requests.push(seen);
		for (const tell of waiting) tell(seen);
		const played = nextReply(script, seen);
		await played.after;
		if (played.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, played.delayMs));
		const message = messageOf(played, body.model, seedOf(conversationOf(body, seen)));
		if (body.stream === true) sendStream(response, message);
		else sendWhole(response, message);
	}

	const server = createServer((request, response) => {
		if (request.method !== 'POST' || !request.url?.startsWith('/v1/messages')) {
			response.writeHead(request.method === 'HEAD' ? 200 : 404).end();
			return;
		}
		reply(request, response).catch((error: unknown) => {
			response.writeHead(400, { 'content-type': 'application/json' });
			response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: String(error) } }));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		requests,
		request(fits) {
			const past = requests.find(fits);
			if (past !== undefined) return Promise.resolve(past);
			return new Promise((resolve) => {
				const resolveOnce = (seen: ScriptedRequest) => {
					if (!fits(seen)) return;
					waiting.delete(resolveOnce);
					resolve(seen);
				};
				waiting.add(resolveOnce);
			});
		},
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
