import { chmodSync, statSync } from 'node:fs';
import { type Sentence, sentence } from '#lib/messages/sentence.ts';
import type { SocketState } from '../../door/socket-path.ts';
import type { IncidentLog } from './incident-log.ts';

const OTHERS = 0o077;
const WORDS = {
	gone: sentence('the hooks’ socket was removed'),
	other: sentence('another program put its own socket in the place of the hooks’ socket'),
	blocked: sentence('something that is no socket stands in the place of the hooks’ socket'),
} satisfies Record<Exclude<SocketState, 'own'>, Sentence>;
const end = sentence(
	'Hooks that came meanwhile were not answered by this server: entries that fail open may have let calls run.',
);

/** The parts of the door that are watched. */
export interface WatchedDoor {
	/** What is at the socket's path. */
	checkSocket(): SocketState;
	/** Replaces it by a socket of this server. */
	retake(): Promise<void>;
}

/**
 * Checks the hooks' socket once. A program of the same user can replace it; then the server reports that at once and replaces it
 * by its own, unless the home belongs to another user (`isHomeOurs`) or something is there that must not be removed.
 */
export async function checkDoor(options: {
	home: string;
	socketPath: string;
	door: WatchedDoor;
	isHomeOurs: () => boolean;
	incidents: IncidentLog;
}): Promise<void> {
	const { home, socketPath, door, isHomeOurs, incidents } = options;
	const doorState = door.checkSocket();
	if (doorState === 'own') {
		incidents.clear('door/replaced', socketPath);
		closeToOthers(home, incidents);
		closeToOthers(socketPath, incidents);
		return;
	}
	const about = socketPath;
	const clause = WORDS[doorState];
	if (doorState !== 'blocked' && isHomeOurs()) {
		await door.retake();
		incidents.raise({
			code: 'door/replaced',
			about,
			message: sentence('{clause}, and was put back. {end}', { clause, end }),
		});
		return;
	}
	const isBlocked = doorState === 'blocked';
	const lock = isBlocked ? '' : ', and so was the lock of this home, so another server may be at work here';
	const fix = isBlocked
		? sentence('move {path} away', { path: socketPath })
		: sentence('stop this server, and start the right one again');
	const message = sentence(`{clause}${lock}. {end}` as const, { clause, end });
	incidents.raise({ code: 'door/replaced', about, message, fix, isOpen: true });
}

function closeToOthers(path: string, incidents: IncidentLog): void {
	const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
	if ((mode & OTHERS) === 0) return;
	chmodSync(path, mode & 0o700);
	const message = sentence('{path} was opened to other users of this machine (mode {mode}), and was closed again', {
		path,
		mode: (mode & 0o777).toString(8),
	});
	incidents.raise({ code: 'door/opened', about: path, message });
}
