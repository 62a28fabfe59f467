/** Where a server leaves its address when it has started, one line; it stays when the server ends. */
export const LAST_URL = 'server.url';

/** Where `init` notes the program that can start the server: one line, an absolute path. */
export const SERVER_PROGRAM = 'bin/server.path';

/** An address of a home's server as its files have it; null for anything else, since it is shown on a terminal. */
export function serverUrl(text: unknown): string | null {
	const url = typeof text === 'string' ? text.trim() : '';
	return /^http:\/\/[a-z0-9.-]{1,100}:\d{1,5}$/.test(url) ? url : null;
}
