import { createHash } from 'node:crypto';
import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import { tryTo } from '#hooks-bridge/disk/try-to.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { breakWords } from '#lib/audit/audit-report.ts';
import { JournalBreak } from '#lib/contract/health/audit.ts';
import { type Sentence, sentence } from '#lib/messages/sentence.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import type { DoorReport } from '../../door/door-port.ts';
import type { SocketState } from '../../door/socket-path.ts';
import { type DiskRoom, diskRoom } from '../../process/disk-room.ts';
import { fileStamp } from '../../process/file-stamp.ts';
import { clientConfigOf } from '../../process/home.ts';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import { HOOK_FILES, type HookFile } from '../../setup/distribution.ts';
import { binFolder, hookFileStates, nodeLink, targetOf } from '../../setup/install-hook.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { watchGateFiles } from './gate-files.ts';
import type { IncidentLog } from './incident-log.ts';
import { createJournalCheck } from './watch-journal.ts';
import { createProjectCheck, type WatchedHealth } from './watch-projects.ts';

/**
 * Checks once a second what guards the calls: the hooks' socket, the installed hook, the projects' settings and plans, free disk
 * space, the configs and the journal. Resolves with the receiver of the door's reports, and how to end it.
 */
export async function startWatch(options: {
	home: string;
	journal: JournalStore;
	env: Readonly<Record<string, string | undefined>>;
	door: WatchedDoor;
	isHomeOurs: () => boolean;
	health: WatchedHealth;
	tail: Pick<Tail, 'onBatch'>;
	ports: Ports;
	incidents: IncidentLog;
	log: Log;
}): Promise<{ receiveReport: (report: Pick<DoorReport, 'prompts' | 'configs'>) => void; close: () => void }> {
	const { home, journal, env, door, isHomeOurs, health, tail, ports, incidents, log } = options;
	const gateFiles = watchGateFiles({ home, env, tail, ports, incidents });
	const socketPath = doorPath(home);
	const check = createJournalCheck(join(home, 'journal.db'), incidents, journal);
	reportBreaks(journal, incidents);
	const projectCheck = createProjectCheck({ home, configDir: clientConfigOf({ env, cwd: home }), health, incidents });
	const ends = [
		everySecond(log, 'the socket', () => checkDoor({ home, socketPath, door, isHomeOurs, incidents })),
		everySecond(log, 'the hook', createHookCheck(home, incidents)),
		everySecond(log, 'the settings', projectCheck.check),
		everySecond(log, 'the files of gates', gateFiles.checkAll),
		everySecond(log, 'the room on the disk', createRoomCheck(home, incidents)),
		everySecond(log, 'the journal', check.check),
	];
	projectCheck.check();
	return {
		receiveReport({ prompts, configs }) {
			for (const sessionId of prompts) gateFiles.prompted(sessionId);
			for (const [root, texts] of configs) for (const text of texts) projectCheck.judgedBy(root, text);
		},
		close() {
			for (const end of ends) end();
			check.close();
			gateFiles.close();
		},
	};
}

const PERIOD_MS = 1000;

/** Runs a check once a second; a failing one is logged and retried. Returns the function that ends it. */
function everySecond(log: Log, what: string, check: () => Promise<void> | void): () => void {
	/** A repeated failure is logged once. */
	let lastError = '';
	const checkOnce = async () => {
		await check();
		lastError = '';
	};
	return repeat(PERIOD_MS, checkOnce, (error) => {
		if (String(error) !== lastError) log.error(`incidents: ${what} could not be looked at`, error);
		lastError = String(error);
	});
}

/** How long every page shows a break, also after a restart, so that somebody sees it. */
const SHOWN_FOR_MS = 24 * 3_600_000;
const MOST = 10;

/** Raises an incident for each place of the last day where the journal continued after a loss. */
export function reportBreaks(journal: Pick<JournalStore, 'byKind'>, incidents: IncidentLog): void {
	const rows = journal.byKind(['journal:follow'], { sinceMs: Date.now() - SHOWN_FOR_MS, limit: MOST });
	for (const { n, payload } of rows) {
		const journalBreak = JournalBreak.safeParse(payload);
		if (!journalBreak.success) continue;
		incidents.raise({
			code: 'journal/changed',
			about: `row ${n}`,
			message: breakWords(n, journalBreak.data),
			fix: sentence(
				'find out what happened to the disk, or who did it; sign in again where needed. It is shown for a day',
			),
			isOpen: true,
		});
	}
}

/** Checks the free space on the home's disk: an incident is open while it is nearly full. */
export function createRoomCheck(
	home: string,
	incidents: Pick<IncidentLog, 'raise' | 'clear'>,
	roomOf: (path: string) => DiskRoom | undefined = diskRoom,
): () => void {
	return () => {
		const room = roomOf(home);
		if (!room?.isLow) return incidents.clear('disk/full', home);
		const message = sentence('the disk of {path} is nearly full', { path: home });
		const fix = sentence('make room on that disk before what hooks tell has to wait: it had {free} left', {
			free: byteSize(room.free),
		});
		incidents.raise({ code: 'disk/full', about: home, message, fix, isOpen: true });
	};
}

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
interface WatchedDoor {
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

const FIX = sentence('run {command} for a project of yours, if you did not change it yourself', {
	command: '`signalbox init --project DIR`',
});

/**
 * Each call checks whether the installed hook is unchanged since the server started. A file of this version is never an incident:
 * `signalbox init` may be run at any time.
 */
export function createHookCheck(home: string, incidents: IncidentLog): () => void {
	const names = Object.keys(HOOK_FILES) as HookFile[];
	const pathOf = (name: HookFile) => join(binFolder(home), name);
	const contentOf = (name: HookFile) => {
		const stamp = fileStamp(pathOf(name));
		if (stamp === '') return { stamp, content: '' };
		const { mode } = statSync(pathOf(name));
		const digest = createHash('sha256')
			.update(readFileSync(pathOf(name)))
			.digest('hex');
		return { stamp, content: `${digest} ${mode & 0o111}` };
	};
	const known = new Map(names.map((name) => [name, contentOf(name)]));
	const isOwn = (name: HookFile) => {
		return tryTo(() => hookFileStates(home)[name] === 'same') ?? false;
	};

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
