import { join } from 'node:path';
import { doorPath } from '#hooks-bridge/overtone-home.ts';
import { clientConfigOf } from '../cli/home.ts';
import type { Log } from '../log.ts';
import type { AlarmBook } from './alarm-book.ts';
import { everySecond } from './every-second.ts';
import { lookAtDoor, type WatchedDoor } from './watch-door.ts';
import { createHookLook } from './watch-hooks.ts';
import { createJournalLook } from './watch-journal.ts';
import { createProjectLook, type WatchedHealth } from './watch-projects.ts';

/**
 * Looks once a second at what guards the calls: the hooks' socket, the installed hook, the projects' settings, the
 * configs and the journal. Resolves with how to end it.
 */
export async function startWatch(options: {
	home: string;
	env: Readonly<Record<string, string | undefined>>;
	door: WatchedDoor;
	isHomeOurs: () => boolean;
	health: WatchedHealth;
	alarms: AlarmBook;
	log: Log;
}): Promise<() => void> {
	const { home, env, door, isHomeOurs, health, alarms, log } = options;
	const socketPath = doorPath(home);
	const journal = createJournalLook(join(home, 'journal.db'), alarms);
	const lookAtProjects = createProjectLook({ home, configDir: clientConfigOf({ env, cwd: home }), health, alarms });
	const ends = [
		everySecond(log, 'the socket', () => lookAtDoor({ home, socketPath, door, isHomeOurs, alarms })),
		everySecond(log, 'the hook', createHookLook(home, alarms)),
		everySecond(log, 'the settings', lookAtProjects),
		everySecond(log, 'the journal', journal.look),
	];
	lookAtProjects();
	return () => {
		for (const end of ends) end();
		journal.close();
	};
}
