import { hash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import { type Sentence, sentence } from '#lib/messages/sentence.ts';
import type { SocketState } from '../../door/socket-path.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { HOOK_FILES, type HookFile } from '../../setup/distribution.ts';
import { binFolder, hookFileStates, nodeLink, targetOf } from '../../setup/install-hook.ts';
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
 * Checks the hooks' socket. If a program of this user has replaced it, reports that and takes it back, unless the home is not
 * ours or what is there must not be removed.
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

const FIX = sentence('run {command} for a project of yours, if you did not change it yourself', {
	command: '`signalbox init --project DIR`',
});

/**
 * Each call checks whether the installed hook is unchanged. A file of this version is never an incident: `signalbox init` may run
 * at any time.
 */
export function createHookCheck(home: string, incidents: IncidentLog): () => void {
	const names = Object.keys(HOOK_FILES) as HookFile[];
	const pathOf = (name: HookFile) => join(binFolder(home), name);
	const contentOf = (name: HookFile) => {
		const stamp = fileStamp(pathOf(name));
		if (stamp === '') return { stamp, content: '' };
		const { mode } = statSync(pathOf(name));
		const digest = hash('sha256', readFileSync(pathOf(name)));
		return { stamp, content: `${digest} ${mode & 0o111}` };
	};
	const known = new Map(names.map((name) => [name, contentOf(name)]));
	const isOwn = (name: HookFile) => tryTo(() => hookFileStates(home)[name] === 'same') ?? false;

	const checkFile = (name: HookFile) => {
		const before = known.get(name);
		if (before === undefined || fileStamp(pathOf(name)) === before.stamp) return;
		const now = contentOf(name);
		// The first content stays the reference, so a restored hook ends the incident.
		known.set(name, { ...before, stamp: now.stamp });
		const about = pathOf(name);
		if (isOwn(name)) {
			known.set(name, now);
			return incidents.clear('hook/changed', about);
		}
		if (now.content === before.content) return incidents.clear('hook/changed', about);
		const path = about;
		const message =
			now.stamp === ''
				? sentence('{path} was removed: hooks that fail open do nothing now', { path })
				: sentence('{path} was changed: nobody knows what it says now', { path });
		incidents.raise({ code: 'hook/changed', about, message, fix: FIX, isOpen: true });
	};
	const link = nodeLink(home);
	const linked = targetOf(link);
	const checkNode = () => {
		const target = targetOf(link);
		if (target === linked || target === process.execPath) return incidents.clear('hook/changed', link);
		const message =
			target === undefined
				? sentence('{path} was removed: the hook starts any node that stands first in PATH', { path: link })
				: sentence('{path} was changed: nobody knows what it says now', { path: link });
		incidents.raise({ code: 'hook/changed', about: link, message, fix: FIX, isOpen: true });
	};
	return () => {
		for (const name of names) checkFile(name);
		checkNode();
	};
}
