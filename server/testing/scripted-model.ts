import { once } from 'node:events';
import http, { type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the scripted model got it. */
export interface ModelRequest {
	path: string;
	headers: IncomingHttpHeaders;
	body: Record<string, unknown>;
	/** Everything that the request says, as text. */
	text: string;
}

/** What it does with a request: a JSON answer, a text that is none, a status, or nothing at all. */
export type ModelReply =
	| { json: unknown }
	| { text: string }
	| { status: number; location?: string }
	| 'flood'
	| 'hang';

/**
 * A model's server with a script, in both shapes: `/v1/messages` as Anthropic has it and `/v1/chat/completions` as
 * OpenAI has it. The last reply is given again and again.
 */
export async function startScriptedModel(...script: (ModelReply | ((request: ModelRequest) => ModelReply))[]) {
	const requests: ModelRequest[] = [];
	const hanging = new Set<() => void>();
	const server = http.createServer(async (request, response) => {
		let text = '';
		for await (const part of request) text += String(part);
		const path = request.url ?? '';
		const received = { path, headers: request.headers, body: JSON.parse(text), text };
		requests.push(received);
		const step = script[Math.min(requests.length, script.length) - 1] ?? 'hang';
		const reply = typeof step === 'function' ? step(received) : step;
		if (reply === 'hang') return void hanging.add(() => response.destroy());
		if (reply === 'flood') return flood(response);
		answer(response, path, reply);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		/** The base address that a configuration names. */
		baseUrl: `http://127.0.0.1:${port}/v1`,
		requests,
		async stop() {
			for (const end of hanging) end();
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

function answer(response: http.ServerResponse, path: string, reply: Exclude<ModelReply, string>): void {
	const { status = 200, location } = 'status' in reply ? reply : {};
	const content = 'json' in reply ? JSON.stringify(reply.json) : 'text' in reply ? reply.text : '';
	const body = status === 200 ? (path.endsWith('/messages') ? message(content) : completion(content)) : {};
	const headers = { 'content-type': 'application/json', ...(location && { location }) };
	response.writeHead(status, headers).end(JSON.stringify(body));
}

/** An answer without end. */
function flood(response: http.ServerResponse): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	const more = (): void => {
		while (!response.destroyed && response.write('a'.repeat(65_536)));
	};
	response.on('drain', more);
	more();
}

export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

const message = (text: string) => ({
	id: 'msg_scripted',
	type: 'message',
	role: 'assistant',
	model: 'scripted',
	content: [{ type: 'text', text }],
	stop_reason: 'end_turn',
	stop_sequence: null,
	usage: { input_tokens: 1, output_tokens: 1 },
});

const completion = (text: string) => ({
	id: 'chatcmpl-scripted',
	object: 'chat.completion',
	created: 1,
	model: 'scripted',
	choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});
