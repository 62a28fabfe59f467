import { PushState, type PushSubscription as Subscription } from '#lib/contract/access/access.ts';
import { callRoute, callRouteAs } from '../../live/call-route.ts';
import { findWorker, startWorker } from './notice-worker.ts';

/** Whether this browser can be told while no page is open. */
export function canPush(): boolean {
	return 'serviceWorker' in navigator && 'PushManager' in window;
}

/** The id under which the server knows this browser; null where it is not told. */
export async function ownPush(): Promise<string | null> {
	const registration = await findWorker();
	const subscription = await registration?.pushManager.getSubscription();
	if (!subscription) return null;
	const id = await idOf(subscription.endpoint);
	const answer = await callRouteAs('GET /api/push', PushState);
	return answer.ok && answer.data.browsers.some((browser) => browser.id === id) ? id : null;
}

/** Lets the server tell this browser. The words of a refusal are for the person; null means that it went well. */
export async function startPush(): Promise<string | null> {
	const answer = await callRouteAs('GET /api/push', PushState);
	if (!answer.ok) return answer.message;
	try {
		const { pushManager } = await startWorker();
		const applicationServerKey = answer.data.publicKey;
		const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
		const kept = await callRoute('POST /api/push', {
			body: { action: 'subscribe', subscription: made.toJSON() as Subscription },
		});
		if (kept.ok) return null;
		await made.unsubscribe();
		return kept.message;
	} catch {
		return "This browser's push service cannot be reached. Notifications while a page is open still work.";
	}
}

/** Ends it, here and at the server. */
export async function stopPush(id: string): Promise<string | null> {
	const answer = await callRoute('POST /api/push', { body: { action: 'remove', id } });
	if (!answer.ok && answer.status !== 404) return answer.message;
	const registration = await findWorker();
	await (await registration?.pushManager.getSubscription())?.unsubscribe();
	return null;
}

/** As the server names it: the beginning of the endpoint's SHA-256. */
async function idOf(endpoint: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
	return [...new Uint8Array(digest.slice(0, 8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
