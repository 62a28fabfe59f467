import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { Block, WireFormat } from './wire-formats.ts';

/** A model on loopback that plays a script to a real client. */
export interface ScriptedModel {
	url: string;
	/** The results of its calls that the model received, up to the last request. */
	read: readonly string[];
	close(): Promise<void>;
}

/** Plays one block a turn; after the last one, and to requests that offer no tools, it says that it is done. */
export async function startScriptedModel(format: WireFormat, script: readonly Block[]): Promise<ScriptedModel> {
	let read: readonly string[] = [];
	const server = createServer((request, response) => {
		const path = request.url?.replace(/\?.*$/, '') ?? '';
		if (request.method !== 'POST' || !format.path.test(path)) {
			request.resume();
			response.writeHead(path.endsWith(':countTokens') ? 200 : 404, { 'content-type': 'application/json' });
			response.end('{"totalTokens":10}');
			return;
		}
		json(request)
			.then((value) => {
				const body = value as Readonly<Record<string, unknown>>;
				const results = format.results(body);
				const isAside = !Array.isArray(body.tools) || body.tools.length === 0;
				if (!isAside) read = results;
				const block = (isAside ? undefined : script[results.length]) ?? { text: 'Done.' };
				response.writeHead(200, { 'content-type': 'text/event-stream' });
				response.end(
					format
						.stream(block, results.length)
						.map((line) => `${line}\n\n`)
						.join(''),
				);
			})
			.catch((error: unknown) => response.writeHead(400).end(String(error)));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		get read() {
			return read;
		},
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
