import { setFlagsFromString } from 'node:v8';
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import { startDoorThread } from '../door/start-door-thread.ts';
import { keepGoing } from '../process/keep-going.ts';
import { createLog } from '../process/log.ts';

/**
 * Runs a server until SIGINT or SIGTERM, for `start` and `npm run dev`. Exit code 0 also if the home's server runs already, 1 if
 * it cannot start.
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
