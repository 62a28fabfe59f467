import { SESSION_HEADER, SESSION_KEY } from '#lib/contract/access/session-token.ts';
import { parsedJson } from '#lib/json/json.ts';

/** Reads a stored text; null if it is missing or storage is disabled. */
export function readStored(key: string): string | null {
	try {
		return localStorage.getItem(key);
	} catch {
		return null;
	}
}

/** Stores a text; returns false if the browser does not store it. */
export function writeStored(key: string, value: string): boolean {
	try {
		localStorage.setItem(key, value);
		return true;
	} catch {
		return false;
	}
}

/** Reads a stored list; empty if the stored value is not a list. */
export function readStoredList(key: string): readonly unknown[] {
	const value = parsedJson(readStored(key) ?? '');
	return Array.isArray(value) ? value : [];
}

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
