import { chmodSync, statSync } from 'node:fs';
import type { DoorSight } from '../door/door.ts';
import type { IncidentBook } from './incident-book.ts';

const OTHERS = 0o077;
const WORDS: Record<Exclude<DoorSight, 'own'>, string> = {
	gone: 'the hooks’ socket was removed',
	other: 'another program put its own socket in the place of the hooks’ socket',
	blocked: 'something that is no socket stands in the place of the hooks’ socket',
};
const MEANWHILE =
	'Hooks that came meanwhile were not answered by this server: entries that fail open may have let calls run.';

/** What the watch needs of the door. */
export interface WatchedDoor {
	/** What stands at the socket's path. */
	sight(): DoorSight;
	/** Puts a socket of its own there. */
	retake(): Promise<void>;
}

/**
 * One look at the hooks' socket. A program of the same user can replace it; then the server says so at once and takes its
 * place back, unless the home is no longer its own (`isHomeOurs`) or something lies there that is not to be removed.
 */
export async function lookAtDoor(options: {
	home: string;
	socketPath: string;
	door: WatchedDoor;
	isHomeOurs: () => boolean;
	incidents: IncidentBook;
}): Promise<void> {
	const { home, socketPath, door, isHomeOurs, incidents } = options;
	const sight = door.sight();
	if (sight === 'own') {
		incidents.clear('door/replaced', socketPath);
		closeToOthers(home, incidents);
		closeToOthers(socketPath, incidents);
		return;
	}
	const about = socketPath;
	const what = WORDS[sight];
	if (sight !== 'blocked' && isHomeOurs()) {
		await door.retake();
		incidents.raise({ code: 'door/replaced', about, message: `${what}, and was put back. ${MEANWHILE}` });
		return;
	}
	const why = sight === 'blocked' ? '' : ', and so was the lock of this home, so another server may be at work here';
	const fix = sight === 'blocked' ? `move ${socketPath} away` : 'stop this server, and start the right one again';
	incidents.raise({ code: 'door/replaced', about, message: `${what}${why}. ${MEANWHILE}`, fix, stands: true });
}

function closeToOthers(path: string, incidents: IncidentBook): void {
	const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
	if ((mode & OTHERS) === 0) return;
	chmodSync(path, mode & 0o700);
	const message = `${path} was opened to other users of this machine (mode ${(mode & 0o777).toString(8)}), and was closed again`;
	incidents.raise({ code: 'door/opened', about: path, message });
}
