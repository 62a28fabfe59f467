import { readStored, writeStored } from '../../live/browser-storage.ts';

const KEY = 'signalbox-desktop';

/** Whether this browser shows notifications while a page is open but hidden: the person's wish and the browser's leave. */
export const wantsDesktop = (): boolean =>
	'Notification' in window && Notification.permission === 'granted' && readStored(KEY) === 'on';

/** Stores the wish; a browser without storage has none. */
export const setDesktop = (on: boolean) => writeStored(KEY, on ? 'on' : 'off');
