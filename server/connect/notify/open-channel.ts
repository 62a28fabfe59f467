import { createHmac } from 'node:crypto';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import type { NamedChannel } from '#lib/notify/notify-settings.ts';
import { callService } from '../outgoing/call-service.ts';
import type { Channel } from './channel.ts';
import { createPushChannel } from './push-channel.ts';
import type { PushStore } from './push-store.ts';
import { createTelegramApi, type TelegramApi } from './telegram-api.ts';

/** A channel that can send, or the environment variable that it lacks. */
export type OpenedChannel = { ok: true; channel: Channel; telegram?: TelegramApi } | { ok: false; missing: string };

/** Builds a channel from its settings; `pushStore` has the browsers, `address` is where people reach the dashboard. Secrets come from the environment variables that the settings name. */
export function openChannel(
	settings: NamedChannel,
	env: Readonly<Record<string, string | undefined>>,
	pushStore: PushStore,
	address: string | undefined,
): OpenedChannel {
	const secretOf = (name: string | undefined) => (name === undefined ? undefined : env[name] || undefined);
	switch (settings.kind) {
		case 'webhook': {
			const secret = secretOf(settings.secretEnv);
			if (settings.secretEnv !== undefined && secret === undefined) return { ok: false, missing: settings.secretEnv };
			return { ok: true, channel: createWebhookChannel({ url: settings.url, ...(secret && { secret }) }) };
		}
		case 'ntfy': {
			const token = secretOf(settings.tokenEnv);
			if (settings.tokenEnv !== undefined && token === undefined) return { ok: false, missing: settings.tokenEnv };
			return { ok: true, channel: createNtfyChannel({ url: settings.url, ...(token && { token }) }) };
		}
		case 'push':
			return { ok: true, channel: createPushChannel(pushStore, address) };
		case 'telegram': {
			const token = secretOf(settings.tokenEnv);
			if (token === undefined) return { ok: false, missing: settings.tokenEnv };
			const telegram = createTelegramApi({ api: settings.api, token });
			return { ok: true, channel: createTelegramChannel(telegram, settings.chats), telegram };
		}
	}
}

const TIMEOUT_MS = 10_000;
/** ntfy's 1 to 5; 4 and up make a phone ring. */
const PRIORITY: Record<Tone, number> = { wait: 4, err: 4, warn: 3, ok: 3, run: 3, plain: 3 };

/** Publishes to an ntfy topic, given as the topic's whole URL. JSON goes to the server's root: headers hold no Unicode. */
function createNtfyChannel({ url, token }: { url: string; token?: string }): Channel {
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

/**
 * Posts the notification as JSON. With a secret, `X-Signalbox-Signature: sha256=<hex>` is the HMAC of the body's
 * bytes, so that the receiver can tell it from anybody else's.
 */
function createWebhookChannel({ url, secret }: { url: string; secret?: string }): Channel {
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

/** Tells every chat of the list; one that cannot be reached takes nothing from the others. */
function createTelegramChannel(api: Pick<TelegramApi, 'sendMessage'>, chats: readonly string[]): Channel {
	/** Who has the message that is being sent: another try must not tell a chat twice. */
	let current = { id: '', told: new Set<string>() };
	return {
		async send({ id, title, body, url }, signal) {
			if (current.id !== id) current = { id, told: new Set() };
			const { told } = current;
			const text = [title, body, url].filter((line) => line !== '').join('\n');
			const rest = chats.filter((chat) => !told.has(chat));
			const results = await Promise.allSettled(
				rest.map(async (chat) => {
					await api.sendMessage(chat, text, signal);
					told.add(chat);
				}),
			);
			const failed = results.find((result) => result.status === 'rejected');
			if (failed) throw failed.reason;
		},
	};
}
