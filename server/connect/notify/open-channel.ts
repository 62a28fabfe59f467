import { createHmac } from 'node:crypto';
import webPush from 'web-push';
import * as z from 'zod';
import type { Tone } from '#lib/contract/events/event-labels.ts';
import { parsedJson } from '#lib/json/json.ts';
import type { Notification } from '#lib/notify/notification.ts';
import type { NamedChannel } from '#lib/notify/notify-settings.ts';
import { callService, ServiceFailure } from '../outgoing/call-service.ts';
import type { Browser, PushStore } from './push-store.ts';

export interface Channel {
	/** False while it has no recipients; absent if the settings name them. */
	reaches?(): boolean;
	/** Resolves when the other side has accepted it. Throws ServiceFailure. */
	send(notification: Notification, signal: AbortSignal): Promise<void>;
}

type OpenedChannel = { ok: true; channel: Channel; telegram?: TelegramApi } | { ok: false; missing: string };

/** Builds a channel from its settings. `address` is where people reach the dashboard; secrets come from `env`. */
export function openChannel(
	settings: NamedChannel,
	env: Readonly<Record<string, string | undefined>>,
	pushStore: PushStore,
	address: string | undefined,
): OpenedChannel {
	if (settings.kind === 'push') return { ok: true, channel: createPushChannel(pushStore, address) };
	const variable = settings.kind === 'webhook' ? settings.secretEnv : settings.tokenEnv;
	const secret = variable === undefined ? undefined : env[variable] || undefined;
	if (variable !== undefined && secret === undefined) return { ok: false, missing: variable };
	if (settings.kind === 'webhook') return { ok: true, channel: createWebhookChannel(settings.url, secret) };
	if (settings.kind === 'ntfy') return { ok: true, channel: createNtfyChannel(settings.url, secret) };
	const telegram = createTelegramApi(settings.api, secret ?? '');
	return { ok: true, channel: createTelegramChannel(telegram, settings.chats), telegram };
}

const TIMEOUT_MS = 10_000;
/** ntfy's 1 to 5; 4 and up make a phone ring. */
const PRIORITY: Record<Tone, number> = { wait: 4, err: 4, warn: 3, ok: 3, run: 3, plain: 3 };

/** Publishes to an ntfy topic, given as the topic's whole URL. JSON goes to the server's root: headers hold no Unicode. */
function createNtfyChannel(url: string, token: string | undefined): Channel {
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

/** Posts JSON. With a secret, `X-Signalbox-Signature: sha256=<hex>` is the HMAC of the body's bytes. */
function createWebhookChannel(url: string, secret: string | undefined): Channel {
	return {
		async send(notification, signal) {
			const body = JSON.stringify(notification);
			const signature = secret && `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
			const headers = { 'content-type': 'application/json', ...(signature && { 'x-signalbox-signature': signature }) };
			await callService({ url, headers, body, timeoutMs: TIMEOUT_MS, signal });
		},
	};
}

/** Sends to everybody on a list: one failure does not affect the others. */
function createFanOut<T>(
	listOf: () => readonly T[],
	idOf: (one: T) => string,
	sendTo: (one: T, notification: Notification, signal: AbortSignal) => Promise<void>,
): Channel['send'] {
	/** Recipients of the current message: a retry must not send it to them again. */
	let current = { id: '', reached: new Set<string>() };
	return async (notification, signal) => {
		if (current.id !== notification.id) current = { id: notification.id, reached: new Set() };
		const { reached } = current;
		const rest = listOf().filter((one) => !reached.has(idOf(one)));
		const results = await Promise.allSettled(
			rest.map(async (one) => {
				await sendTo(one, notification, signal);
				reached.add(idOf(one));
			}),
		);
		const failed = results.find((result) => result.status === 'rejected');
		if (failed) throw failed.reason;
	};
}

function createTelegramChannel(api: Pick<TelegramApi, 'sendMessage'>, chats: readonly string[]): Channel {
	return {
		send: createFanOut(
			() => chats,
			(chat) => chat,
			(chat, { title, body, url }, signal) =>
				api.sendMessage(chat, [title, body, url].filter((line) => line !== '').join('\n'), signal),
		),
	};
}

/** How long a push service stores a message for a browser that is away, in seconds: a question is soon over. */
const TTL = { question: 300, news: 3600 };
/** A push service requires a contact; without a configured address this one names nobody. */
const NOBODY = 'mailto:nobody@signalbox.invalid';

/** Web push (RFC 8030, 8291, 8292): only the browser can read it, the push service sees sizes and times. */
export function createPushChannel(pushStore: PushStore, address: string | undefined): Channel {
	const subject = address?.startsWith('https:') ? address : NOBODY;

	async function sendTo(browser: Browser, notification: Notification, signal: AbortSignal): Promise<void> {
		const isQuestion = notification.type === 'approval:request';
		const { headers, body } = webPush.generateRequestDetails(browser, pushPayload(notification), {
			vapidDetails: { subject, ...pushStore.keys() },
			contentEncoding: 'aes128gcm',
			TTL: isQuestion ? TTL.question : TTL.news,
			urgency: isQuestion ? 'high' : 'normal',
		});
		// Node counts the bytes itself.
		const { 'Content-Length': _length, ...own } = headers;
		const texts = Object.fromEntries(Object.entries(own).map(([name, value]) => [name, String(value)]));
		try {
			const call = { url: browser.endpoint, headers: texts, body: new Uint8Array(body) };
			await callService({ ...call, timeoutMs: TIMEOUT_MS, signal });
		} catch (error) {
			const isGone = error instanceof ServiceFailure && (error.status === 404 || error.status === 410);
			if (!isGone) throw error;
			pushStore.remove(browser.id);
		}
	}

	return {
		reaches: () => pushStore.browsers().length > 0,
		send: createFanOut(pushStore.browsers, ({ id }) => id, sendTo),
	};
}

/** At most about 2.5 kB, below the 4 kB that every push service takes. The worker opens only paths of its own server. */
function pushPayload({ id, title, body, url }: Notification): string {
	const { pathname, search } = new URL(url);
	return JSON.stringify({ id, title, body, path: `${pathname}${search}` });
}

const SEND_MS = 10_000;
const POLL_SECONDS = 30;

/** The used fields of a message to the bot; `date` is in seconds. */
const Update = z.object({
	update_id: z.int(),
	message: z.object({ date: z.number(), text: z.string().optional(), chat: z.object({ id: z.number() }) }).optional(),
});
export type TelegramUpdate = z.infer<typeof Update>;
const Updates = z.object({ result: z.array(Update) });

/** The two used methods of the Bot API. Errors omit the address, which contains the token. Throws ServiceFailure. */
function createTelegramApi(api: string, token: string) {
	const call = (method: string, params: object, timeoutMs: number, signal: AbortSignal): Promise<string> => {
		const url = `${api.replace(/\/$/, '')}/bot${token}/${method}`;
		const headers = { 'content-type': 'application/json' };
		return callService({ url, headers, body: JSON.stringify(params), timeoutMs, signal });
	};
	return {
		async sendMessage(chat: string, text: string, signal: AbortSignal): Promise<void> {
			// Without a parse mode, so that agents' text stays text.
			const params = { chat_id: chat, text, link_preview_options: { is_disabled: true } };
			await call('sendMessage', params, SEND_MS, signal);
		},
		async getUpdates(offset: number, signal: AbortSignal): Promise<TelegramUpdate[]> {
			const params = { offset, timeout: POLL_SECONDS, allowed_updates: ['message'] };
			const text = await call('getUpdates', params, (POLL_SECONDS + 10) * 1000, signal);
			const read = Updates.safeParse(parsedJson(text));
			if (!read.success) throw new ServiceFailure('its answer is not the one of the Bot API');
			return read.data.result;
		},
	};
}

export type TelegramApi = ReturnType<typeof createTelegramApi>;
