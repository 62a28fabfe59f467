import { lstatSync } from 'node:fs';

/** Longer paths are cut silently by the system, and two servers would meet on one socket. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Throws when the path cannot be the door: too long, or taken by something that is no socket
 * (which must not be removed).
 */
export function checkSocketPath(path: string): void {
	const bytes = Buffer.byteLength(path);
	if (bytes > MAX_SOCKET_PATH_BYTES) {
		throw new Error(
			`The socket path has ${bytes} bytes, at most ${MAX_SOCKET_PATH_BYTES} are possible: ${path}. ` +
				'Set OVERTONE_HOME to a shorter folder.',
		);
	}
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (found && !found.isSocket()) {
		throw new Error(`${path} is in the way: it is not a socket. Move it away and start again.`);
	}
}
