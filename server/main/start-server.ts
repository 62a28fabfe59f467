import { once } from '#hooks-bridge/engine/facts.ts';
import type { Presence } from '../approvals/presence.ts';
import { startDoorThread } from '../door/start-door-thread.ts';
import { createRecentLog } from '../pages/status/recent-log.ts';
import type { ServerEnvironment } from '../process/env.ts';
import type { Log } from '../process/log.ts';
import { type Closers, claimHome, type ServedHome } from './claim-home.ts';

/** A running server, or the one that already serves this home. */
export type StartedServer =
	| { started: true; url: string; link: string; presence(): Presence; stop(): Promise<void> }
	| ({ started: false } & ServedHome);

/**
 * Answers hooks first, then loads and composes the rest. Rejects if the port is taken or a file cannot be opened, and leaves
 * nothing running. `door` does not listen yet.
 */
export async function startServer(
	env: ServerEnvironment,
	terminal: Log,
	door = startDoorThread({ home: env.home, log: terminal }),
): Promise<StartedServer> {
	const log = createRecentLog(terminal, Date.now);
	const closers: Closers = [() => door.stop()];
	const stop = once(async () => {
		for (const close of closers.reverse()) await close();
	});
	try {
		const claimed = await claimHome(env, { door, log, closers });
		if (!('door' in claimed)) {
			await stop();
			return { started: false, ...claimed };
		}
		const { openJournal } = await import('./open-journal.ts');
		const opening = openJournal(env.home, log, closers);
		const [journal, { composeServer }] = await Promise.all([opening, import('./compose-server.ts')]);
		return { started: true, ...(await composeServer(env, log, { ...claimed, journal }, closers)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
