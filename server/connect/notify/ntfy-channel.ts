import type { Tone } from '#lib/contract/events/event-labels.ts';
import { callService } from '../outgoing/call-service.ts';
import type { Channel } from './channel.ts';

const TIMEOUT_MS = 10_000;
/** ntfy's 1 to 5; 4 and up make a phone ring. */
const PRIORITY: Record<Tone, number> = { wait: 4, err: 4, warn: 3, ok: 3, run: 3, plain: 3 };

/** Publishes to an ntfy topic, given as the topic's whole URL. JSON goes to the server's root: headers hold no Unicode. */
export function createNtfyChannel({ url, token }: { url: string; token?: string }): Channel {
	const { origin, pathname } = new URL(url);
	const cut = pathname.replace(/\/$/, '').lastIndexOf('/');
	const topic = decodeURIComponent(pathname.slice(cut + 1).replace(/\/$/, ''));
	const server = `${origin}${pathname.slice(0, cut)}/`;
	const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
	return {
		async send({ title, body: message, url: click, tone }, signal) {
			const body = JSON.stringify({ topic, title, message, click, priority: PRIORITY[tone] });
			await callService({ url: server, headers, body, timeoutMs: TIMEOUT_MS, signal });
		},
	};
}
