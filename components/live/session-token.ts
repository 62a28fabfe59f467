import { SESSION_HEADER, SESSION_KEY } from '#lib/contract/access/session-token.ts';
import { readStored } from './browser-storage.ts';

/**
 * The half of this browser's sign-in that no cookie has, as the sign-in page has kept it; asked for again each time, since
 * another tab may have signed in since. Null where there is none, or the browser keeps nothing.
 */
export const sessionToken = () => readStored(SESSION_KEY);

export function sessionHeader(): Record<string, string> {
	const token = sessionToken();
	return token === null ? {} : { [SESSION_HEADER]: token };
}

/** After signing out: the worker's copy goes too. */
export function forgetSession(): void {
	localStorage.removeItem(SESSION_KEY);
	void self.caches?.delete(SESSION_KEY).catch(() => undefined);
}
