import { createHmac } from 'node:crypto';
import webPush from 'web-push';
import * as z from 'zod';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import { parsedJson } from '#lib/json/json.ts';
import type { Notification } from '#lib/notify/notification.ts';
import type { NamedChannel } from '#lib/notify/notify-settings.ts';
import { callService, ServiceFailure } from '../outgoing/call-service.ts';
import type { Browser, PushStore } from './push-store.ts';

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

/** One way to reach people who are not looking. */
export interface Channel {
	/** False while there is nobody on it; absent where the settings themselves name somebody. */
	reaches?(): boolean;
	/** Resolves when the other side has taken it. Throws ServiceFailure. */
	send(notification: Notification, signal: AbortSignal): Promise<void>;
}

/** How long a push service keeps a message for a browser that is not there, in seconds: a question is soon over. */
const TTL = { question: 300, news: 3600 };
/** A push service wants to know whom to ask; without an address of one's own there is nobody to name. */
const NOBODY = 'mailto:nobody@signalbox.invalid';

/**
 * Tells every browser that asked (RFC 8030, 8291, 8292). Only the browser can read it: the push service sees sizes and
 * times. One that is gone is forgotten; one that cannot be reached takes nothing from the others.
 */
export function createPushChannel(pushStore: PushStore, address: string | undefined): Channel {
	/** Who has the message that is being sent: another try must not sendTo a browser twice. */
	let current = { id: '', told: new Set<string>() };
	const subject = address?.startsWith('https:') ? address : NOBODY;

	async function sendTo(browser: Browser, notification: Notification, signal: AbortSignal): Promise<void> {
		const { publicKey, privateKey } = pushStore.keys();
		const isQuestion = notification.type === 'approval:request';
		const { headers, body } = webPush.generateRequestDetails(browser, payloadOf(notification), {
			vapidDetails: { subject, publicKey, privateKey },
			contentEncoding: 'aes128gcm',
			TTL: isQuestion ? TTL.question : TTL.news,
			urgency: isQuestion ? 'high' : 'normal',
		});
		// Node counts the bytes itself.
		const { 'Content-Length': _length, ...own } = headers;
		const texts = Object.entries(own).map(([name, value]) => [name, String(value)] as const);
		try {
			await callService({
				url: browser.endpoint,
				headers: Object.fromEntries(texts),
				body: new Uint8Array(body),
				timeoutMs: TIMEOUT_MS,
				signal,
			});
		} catch (error) {
			const isGone = error instanceof ServiceFailure && (error.status === 404 || error.status === 410);
			if (!isGone) throw error;
			pushStore.remove(browser.id);
		}
	}

	return {
		reaches: () => pushStore.browsers().length > 0,
		async send(notification, signal) {
			if (current.id !== notification.id) current = { id: notification.id, told: new Set() };
			const { told } = current;
			const rest = pushStore.browsers().filter(({ id }) => !told.has(id));
			const results = await Promise.allSettled(
				rest.map(async (browser) => {
					await sendTo(browser, notification, signal);
					told.add(browser.id);
				}),
			);
			const failed = results.find((result) => result.status === 'rejected');
			if (failed) throw failed.reason;
		},
	};
}

/** At most about 2.5 kB, below the 4 kB that every push service takes. The worker opens only paths of its own server. */
function payloadOf({ id, title, body, url }: Notification): string {
	const { pathname, search } = new URL(url);
	return JSON.stringify({ id, title, body, path: `${pathname}${search}` });
}

const SEND_MS = 10_000;
/** How long Telegram holds a poll open when nothing comes, in seconds. */
const POLL_SECONDS = 30;

const Update = z.object({
	update_id: z.int(),
	message: z.object({ date: z.number(), text: z.string().optional(), chat: z.object({ id: z.number() }) }).optional(),
});
/** What somebody wrote to the bot, as far as it matters here; `date` is in seconds. */
export type TelegramUpdate = z.infer<typeof Update>;
const Updates = z.object({ result: z.array(Update) });

/** The two methods of the Bot API that are used. Throws ServiceFailure. */
export interface TelegramApi {
	sendMessage(chat: string, text: string, signal: AbortSignal): Promise<void>;
	/** Updates from `offset` on; resolves empty after half a minute without any. */
	getUpdates(offset: number, signal: AbortSignal): Promise<TelegramUpdate[]>;
}

/** The token is a part of every address there, which is why failures never repeat addresses. */
export function createTelegramApi({ api, token }: { api: string; token: string }): TelegramApi {
	const call = (method: string, params: object, timeoutMs: number, signal: AbortSignal): Promise<string> => {
		const url = `${api.replace(/\/$/, '')}/bot${token}/${method}`;
		const headers = { 'content-type': 'application/json' };
		return callService({ url, headers, body: JSON.stringify(params), timeoutMs, signal });
	};
	return {
		async sendMessage(chat, text, signal) {
			// Without a parse mode: what agents wrote stays text.
			const params = { chat_id: chat, text, link_preview_options: { is_disabled: true } };
			await call('sendMessage', params, SEND_MS, signal);
		},
		async getUpdates(offset, signal) {
			const params = { offset, timeout: POLL_SECONDS, allowed_updates: ['message'] };
			const text = await call('getUpdates', params, (POLL_SECONDS + 10) * 1000, signal);
			const read = Updates.safeParse(parsedJson(text));
			if (!read.success) throw new ServiceFailure('its answer is not the one of the Bot API');
			return read.data.result;
		},
	};
}
