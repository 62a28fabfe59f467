import { createHmac } from 'node:crypto';
import { callService } from '../outgoing/call-service.ts';
import type { Channel } from './channel.ts';

const TIMEOUT_MS = 10_000;

/**
 * Posts the notification as JSON. With a secret, `X-Signalbox-Signature: sha256=<hex>` is the HMAC of the body's
 * bytes, so that the receiver can tell it from anybody else's.
 */
export function createWebhookChannel({ url, secret }: { url: string; secret?: string }): Channel {
	return {
		async send(notification, signal) {
			const body = JSON.stringify(notification);
			const signature = secret && {
				'x-signalbox-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
			};
			const headers = { 'content-type': 'application/json', ...signature };
			await callService({ url, headers, body, timeoutMs: TIMEOUT_MS, signal });
		},
	};
}
