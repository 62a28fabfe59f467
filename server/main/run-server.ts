import { setFlagsFromString } from 'node:v8';
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import { startDoorThread } from '../door/start-door-thread.ts';
import { keepGoing } from '../process/keep-going.ts';
import { createLog } from '../process/log.ts';

/**
 * Runs a server until SIGINT or SIGTERM, for the `start` command and `npm run dev`. Returns the exit code: 0 also if this home's
 * server runs already, 1 if it cannot start. The thread that answers hooks is loaded at the same time as the rest.
 */
export async function runServer(
	variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<number> {
	const log = createLog();
	keepGoing(log);
	// Four helper threads would cost a sixth of the processor time to scan few young objects.
	setFlagsFromString('--no-parallel-scavenge');
	const door = startDoorThread({ home: overtoneHome(variables), log });
	try {
		const { serveUntilStopped } = await import('./serve-until-stopped.ts');
		return await serveUntilStopped(variables, door, log);
	} finally {
		await door.stop();
	}
}
