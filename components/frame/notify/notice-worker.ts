import { readStored, writeStored } from '../../live/browser-storage.ts';

const WORKER = '/push-worker.js';

/** What a notification says; `path` is where a click leads. */
export interface Notice {
	id: string;
	title: string;
	body: string;
	path: string;
}

/** The worker that shows notifications with answers on them, made where there is none. */
export async function startWorker(): Promise<ServiceWorkerRegistration> {
	await navigator.serviceWorker.register(WORKER);
	return navigator.serviceWorker.ready;
}

export async function findWorker(): Promise<ServiceWorkerRegistration | undefined> {
	return 'serviceWorker' in navigator ? navigator.serviceWorker.getRegistration(WORKER) : undefined;
}

/** Lets the worker show a notice, or take one away. A browser that has no worker shows none. */
export async function messageWorker(message: { show: Notice } | { close: string }): Promise<void> {
	const registration = await ('show' in message ? startWorker() : findWorker()).catch(() => undefined);
	registration?.active?.postMessage(message);
}

const KEY = 'signalbox-desktop';

/** Whether this browser shows notifications while a page is open but hidden: the person's wish and the browser's leave. */
export const wantsDesktop = (): boolean =>
	'Notification' in window && Notification.permission === 'granted' && readStored(KEY) === 'on';

export const setDesktop = (on: boolean) => writeStored(KEY, on ? 'on' : 'off');
