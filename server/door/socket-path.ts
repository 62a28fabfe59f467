import { lstatSync } from 'node:fs';
import { MAX_SOCKET_PATH } from '#hooks-bridge/disk/overtone-home.ts';

/** Why a path is too long for the door, as a clause; null if it is not. */
export function tooLongFor(path: string): string | null {
	const bytes = Buffer.byteLength(path);
	if (bytes <= MAX_SOCKET_PATH) return null;
	return `the socket path has ${bytes} bytes, at most ${MAX_SOCKET_PATH} are possible: ${path}`;
}

/** Throws if the door cannot use the path: too long, or something other than a socket is there, which must not be removed. */
export function checkSocketPath(path: string): void {
	const tooLong = tooLongFor(path);
	if (tooLong !== null) throw new Error(`The home is too deep: ${tooLong}. Set OVERTONE_HOME to a shorter folder.`);
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (stat && !stat.isSocket()) {
		throw new Error(`${path} is in the way: it is not a socket. Move it away and start again.`);
	}
}

/** Identifies the file of a socket. */
export interface SocketId {
	dev: number;
	ino: number;
}

/** What is at the socket's path: our socket, another one, something else, or nothing. */
export type SocketState = 'own' | 'other' | 'blocked' | 'gone';

/** Checks whether the path still leads to the socket `own`. */
export function socketState(path: string, own: SocketId | undefined): SocketState {
	const found = lstatSync(path, { throwIfNoEntry: false });
	if (!found) return 'gone';
	if (!found.isSocket()) return 'blocked';
	return found.ino === own?.ino && found.dev === own.dev ? 'own' : 'other';
}
