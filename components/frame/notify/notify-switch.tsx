import { useEffect, useState } from 'react';
import { PushState, type PushSubscription as Subscription } from '#lib/contract/access/access.ts';
import { useSay } from '../../language/use-say.ts';
import { callRoute, callRouteAs } from '../../live/call-route.ts';
import { Alert } from '../../ui/answer-state.tsx';
import { Button } from '../../ui/button.tsx';
import { findWorker, setDesktop, startWorker, wantsDesktop } from './notice-worker.ts';

/** Notification settings of this browser. Asks for the browser's permission only after a click. */
export function NotifySwitch({ isOperator }: { isOperator: boolean }) {
	const say = useSay();
	const [desktop, setDesktopShown] = useState(wantsDesktop);
	const [push, setPush] = useState<string | null>(null);
	const [isBusy, setBusy] = useState(false);
	const [refusal, setRefusal] = useState<string | null>(null);
	const isPossible = 'Notification' in window && 'serviceWorker' in navigator;
	const mayPush = isOperator && isPossible && 'PushManager' in window;

	useEffect(() => {
		if (mayPush) void ownPush().then(setPush, () => setPush(null));
	}, [mayPush]);

	async function run(action: () => Promise<string | null>) {
		setBusy(true);
		setRefusal(await action());
		setBusy(false);
	}

	const switchDesktop = () =>
		run(async () => {
			const isEnabling = !desktop;
			if (isEnabling && !(await isAllowed())) return BLOCKED;
			if (isEnabling) await startWorker();
			setDesktop(isEnabling);
			setDesktopShown(wantsDesktop());
			return null;
		});
	const switchPush = () =>
		run(async () => {
			if (push !== null) {
				const refused = await stopPush(push);
				if (refused === null) setPush(null);
				return refused;
			}
			if (!(await isAllowed())) return BLOCKED;
			const refused = await startPush();
			if (refused !== null) return refused;
			setPush(await ownPush());
			// Avoid two notifications for one call.
			setDesktop(false);
			setDesktopShown(false);
			return null;
		});

	if (!isPossible) return <span className="text-muted">{say('This browser shows no notifications.')}</span>;
	return (
		<div className="flex flex-col items-start gap-2">
			<div className="flex flex-wrap gap-2">
				<Button disabled={isBusy} aria-pressed={desktop} onClick={() => void switchDesktop()}>
					{desktop ? say('While a page is open: on') : say('While a page is open: off')}
				</Button>
				{mayPush && (
					<Button disabled={isBusy} aria-pressed={push !== null} onClick={() => void switchPush()}>
						{push !== null ? say('Also when none is: on') : say('Also when none is: off')}
					</Button>
				)}
			</div>
			<span className="text-muted">{say('A notification can deny; for anything else it opens the call’s card.')}</span>
			<Alert>{refusal}</Alert>
		</div>
	);
}

const BLOCKED = 'The browser does not allow notifications of this page. Allow them in its settings for this site.';

async function isAllowed(): Promise<boolean> {
	return Notification.permission === 'granted' || (await Notification.requestPermission()) === 'granted';
}

/** The server's id of this browser's push subscription; null if it is not subscribed. */
async function ownPush(): Promise<string | null> {
	const registration = await findWorker();
	const subscription = await registration?.pushManager.getSubscription();
	if (!subscription) return null;
	const id = await idOf(subscription.endpoint);
	const answer = await callRouteAs('GET /api/push', PushState);
	return answer.ok && answer.data.browsers.some((browser) => browser.id === id) ? id : null;
}

/** Subscribes this browser to web push. Returns null on success, else an error message for the user. */
async function startPush(): Promise<string | null> {
	const answer = await callRouteAs('GET /api/push', PushState);
	if (!answer.ok) return answer.message;
	try {
		const { pushManager } = await startWorker();
		const applicationServerKey = answer.data.publicKey;
		const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
		const subscribed = await callRoute('POST /api/push', {
			body: { action: 'subscribe', subscription: made.toJSON() as Subscription },
		});
		if (subscribed.ok) return null;
		await made.unsubscribe();
		return subscribed.message;
	} catch {
		return "This browser's push service cannot be reached. Notifications while a page is open still work.";
	}
}

async function stopPush(id: string): Promise<string | null> {
	const answer = await callRoute('POST /api/push', { body: { action: 'remove', id } });
	if (!answer.ok && answer.status !== 404) return answer.message;
	const registration = await findWorker();
	await (await registration?.pushManager.getSubscription())?.unsubscribe();
	return null;
}

/** The id that the server uses: the first bytes of the endpoint's SHA-256. */
async function idOf(endpoint: string): Promise<string> {
	const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(endpoint));
	return [...new Uint8Array(digest.slice(0, 8))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
