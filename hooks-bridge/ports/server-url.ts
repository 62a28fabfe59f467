/** The file in which a started server records its address, one line; it remains when the server ends. */
export const LAST_URL = 'server.url';

/** The file in which `init` records the program that can start the server: one line, an absolute path. */
export const SERVER_PROGRAM = 'bin/server.path';

/** The address of a home's server in one of its files; null for anything else, since it is shown on a terminal. */
export function serverUrl(text: unknown): string | null {
	const url = typeof text === 'string' ? text.trim() : '';
	return /^http:\/\/[a-z0-9.-]{1,100}:\d{1,5}$/.test(url) ? url : null;
}
