import type { CDPSession, Page, Worker } from '@playwright/test';

/** A notification that the browser shows. */
export interface ShownNotice {
	title: string;
	body: string;
	place: string;
	/** The words on its buttons. */
	actions: string[];
}

/** The page's worker as a person and a push service meet it. */
export interface NoticeWorker {
	shown(): Promise<ShownNotice[]>;
	/** A message arrives from the browser's push service. */
	push(text: string): Promise<void>;
	/** A click on the first notification, or on one of its buttons; resolves when the worker is done with it. */
	click(action?: 'approve' | 'deny'): Promise<void>;
}

/** Follows the worker of the page's server, which may be registered later. */
export async function watchWorker(page: Page): Promise<NoticeWorker> {
	const devtools = await page.context().newCDPSession(page);
	const registered = registrationOf(devtools);
	await devtools.send('ServiceWorker.enable');
	const worker = async (): Promise<Worker> =>
		page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'));
	return {
		shown: () =>
			page.evaluate(async () => {
				const registration = await navigator.serviceWorker.ready;
				const all = await registration.getNotifications();
				return all.map((notice) => {
					const { title, body, data } = notice;
					const { actions = [] } = notice as Notification & { actions?: { title: string }[] };
					return { title, body, place: String(data.place), actions: actions.map((action) => action.title) };
				});
			}),
		async push(data) {
			const origin = new URL(page.url()).origin;
			await devtools.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data });
		},
		async click(action) {
			await (await worker()).evaluate(async (chosen) => {
				const scope = globalThis as unknown as ServiceWorkerScope;
				const [notification] = await scope.registration.getNotifications();
				const event = new scope.NotificationEvent('notificationclick', { notification, action: chosen });
				// Only an event of the browser itself may prolong the worker's life; here the test waits.
				let done: unknown;
				Object.defineProperty(event, 'waitUntil', { value: (work: unknown) => (done = work) });
				scope.dispatchEvent(event);
				await done;
			}, action ?? '');
		},
	};
}

/** What the click needs of a worker's world. */
interface ServiceWorkerScope {
	registration: ServiceWorkerRegistration;
	NotificationEvent: new (type: string, init: object) => Event;
	dispatchEvent(event: Event): void;
}

/** The registration that the browser has made for the worker. */
function registrationOf(devtools: CDPSession): Promise<string> {
	return new Promise((resolve) => {
		devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
			const [first] = registrations;
			if (first) resolve(first.registrationId);
		});
	});
}
