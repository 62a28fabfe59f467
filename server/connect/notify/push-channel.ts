import webPush from 'web-push';
import type { Notification } from '#lib/notify/notification.ts';
import { callService } from '../outgoing/call-service.ts';
import { ServiceFailure } from '../outgoing/service-failure.ts';
import type { Channel } from './channel.ts';
import type { Browser, PushStore } from './push-store.ts';

const TIMEOUT_MS = 10_000;
/** How long a push service keeps a message for a browser that is not there, in seconds: a question is soon over. */
const TTL = { question: 300, news: 3600 };
/** A push service wants to know whom to ask; without an address of one's own there is nobody to name. */
const NOBODY = 'mailto:nobody@signalbox.invalid';

/**
 * Tells every browser that asked (RFC 8030, 8291, 8292). Only the browser can read it: the push service sees sizes and
 * times. One that is gone is forgotten; one that cannot be reached takes nothing from the others.
 */
export function createPushChannel(pushStore: PushStore, address: string | undefined): Channel {
	/** Who has the message that is being sent: another try must not tell a browser twice. */
	let current = { id: '', told: new Set<string>() };
	const subject = address?.startsWith('https:') ? address : NOBODY;

	async function tell(browser: Browser, notification: Notification, signal: AbortSignal): Promise<void> {
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
					await tell(browser, notification, signal);
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
