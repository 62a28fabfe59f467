const KEY = 'signalbox-desktop';

/** Whether this browser shows notifications while a page is open but hidden: the person's wish and the browser's leave. */
export function wantsDesktop(): boolean {
	try {
		return 'Notification' in window && Notification.permission === 'granted' && localStorage.getItem(KEY) === 'on';
	} catch {
		return false;
	}
}

/** Keeps the wish; a browser without storage has none. */
export function setDesktop(on: boolean): void {
	try {
		localStorage.setItem(KEY, on ? 'on' : 'off');
	} catch {
		// Storage is switched off: the wish ends with the page, as if it had not been said.
	}
}
