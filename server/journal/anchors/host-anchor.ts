import { callService } from '../../connect/outgoing/call-service.ts';
import { type Anchor, headLine, parseHeads } from './anchor.ts';

const TIMEOUT_MS = 10_000;

/** A second host over HTTP: POST adds the body's line, GET gives all lines as plain text. */
export function createHostAnchor({ url, token }: { url: string; token?: string }): Anchor {
	const headers = { 'content-type': 'text/plain', ...(token && { authorization: `Bearer ${token}` }) };
	const call = (method: 'GET' | 'POST', body: string | undefined, signal: AbortSignal) =>
		callService({ url, method, headers, ...(body !== undefined && { body }), timeoutMs: TIMEOUT_MS, signal });
	return {
		place: `host ${new URL(url).host}`,
		caveat: 'Anchoring at a second host was tried with a stand-in only.',
		put: async (head, ts, signal) => void (await call('POST', `${headLine(head, ts)}\n`, signal)),
		list: async (signal) => parseHeads(await call('GET', undefined, signal)),
	};
}
