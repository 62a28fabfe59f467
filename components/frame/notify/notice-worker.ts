import { readStored, writeStored } from '../../live/browser-storage.ts';

const WORKER = '/push-worker.js';

/** Content of a notification; a click opens `path`. */
export interface Notice {
	id: string;
	title: string;
	body: string;
	path: string;
}

/** The service worker that shows notifications with buttons; registered if necessary. */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
	await navigator.serviceWorker.register(WORKER);
	return navigator.serviceWorker.ready;
}

export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
	return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(WORKER) : undefined;
}

/** Asks the worker to show or close a notification. Does nothing in browsers without service workers. */
export async function messageWorker(message: { show: Notice } | { close: string }): Promise<void> {
	const registration = await ('show' in message ? startWorker() : findWorker()).catch(() => undefined);
	registration?.active?.postMessage(message);
}

const KEY = 'signalbox-desktop';

/** Whether to notify while the page is open but hidden: requires the user's setting and the browser's permission. */
export const wantsDesktop = (): boolean =>
	'Notification' in window && Notification.permission === 'granted' && readStored(KEY) === 'on';

export const setDesktop = (on: boolean) => writeStored(KEY, on ? 'on' : 'off');
