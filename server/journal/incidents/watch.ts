import { join } from 'node:path';
import { doorPath } from '#hooks-bridge/disk/overtone-home.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { sentence } from '#lib/messages/sentence.ts';
import { byteSize } from '#lib/text/byte-size.ts';
import type { DoorReport } from '../../door/door-port.ts';
import { type DiskRoom, diskRoom } from '../../process/disk-room.ts';
import { clientConfigOf } from '../../process/home.ts';
import type { Log } from '../../process/log.ts';
import { repeat } from '../../process/repeat.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';
import { watchGateFiles } from './gate-files.ts';
import type { IncidentLog } from './incident-log.ts';
import { checkDoor, createHookCheck, type WatchedDoor } from './watch-door.ts';
import { createJournalCheck, reportBreaks } from './watch-journal.ts';
import { createProjectCheck, type WatchedHealth } from './watch-projects.ts';

/**
 * Checks every second what guards the calls: socket, hook, settings and plans, disk space, configs, journal. Resolves with the
 * receiver of the door's reports, and how to end it.
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
		const fix = sentence('make room on that disk before what hooks report has to wait: it had {free} left', {
			free: byteSize(room.free),
		});
		incidents.raise({ code: 'disk/full', about: home, message, fix, isOpen: true });
	};
}
