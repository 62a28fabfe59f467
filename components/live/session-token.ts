import { SESSION_HEADER, SESSION_KEY } from '#lib/contract/access/session-token.ts';
import { readStored } from './browser-storage.ts';

/** The session token in this origin's storage, or null. Read each time, because another tab may have signed in. */
export const sessionToken = () => readStored(SESSION_KEY);

export function sessionHeader(): Record<string, string> {
	const token = sessionToken();
	return token === null ? {} : { [SESSION_HEADER]: token };
}

/** Removes the token after signing out, including the service worker's copy. */
export function forgetSession(): void {
	localStorage.removeItem(SESSION_KEY);
	void self.caches?.delete(SESSION_KEY).catch(() => undefined);
}
