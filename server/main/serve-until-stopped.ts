import { format } from 'node:util';
import { overtoneHome } from '#hooks-bridge/disk/overtone-home.ts';
import { withProgramName } from '#lib/text/with-program-name.ts';
import type { DoorThread } from '../door/start-door-thread.ts';
import { EnvironmentError, readEnvironment } from '../process/env.ts';
import { failureWords, isDatabaseFailure, rootOf } from '../process/failure-words.ts';
import type { Log } from '../process/log.ts';
import { describeTakenPort, isPortTaken } from '../process/port-holder.ts';
import { programName, withHome } from '../process/program-name.ts';
import { howToStop, versionGap } from '../process/server-holder.ts';
import { startServer } from './start-server.ts';

/** How long an orderly stop may take. */
const STOP_MS = 10_000;

/** Serves the home whose hooks `door` answers until SIGINT or SIGTERM. Returns the exit code, as `runServer` does. */
export async function serveUntilStopped(
	variables: Readonly<Record<string, string | undefined>>,
	door: DoorThread,
	log: Log,
): Promise<number> {
	// Standard output is for the line with the link, so libraries' output goes to the log.
	console.log = (...words: unknown[]) => log.info(format(...words));
	// Next reads NODE_ENV at import; the built program is started without it.
	if (variables.NODE_ENV !== 'development') Object.assign(process.env, { NODE_ENV: 'production' });
	try {
		const server = await startServer(readEnvironment(variables), log, door);
		if (!server.started) {
			const { pid, url, version } = server.holder ?? {};
			const where = url ? ` at ${url}` : '';
			const program = withHome(programName(variables.PATH ?? '', process.cwd()), overtoneHome(variables), variables);
			const signIn = withProgramName('`signalbox open` prints a sign-in link.', program);
			const gap = server.holder && versionGap(version);
			const words = [
				`Signalbox already runs${where} (process ${pid ?? 'unknown'}).`,
				...(gap ? [`It ${gap}.`] : []),
				signIn,
				howToStop(pid),
			];
			process.stdout.write(`${words.join(' ')}\n`);
			return 0;
		}
		// Before the link is printed, since its reader may stop the server at once.
		const stopRequest = new Promise((resolve) => {
			// Stays registered: npm forwards a signal that the whole group has already received.
			process.on('SIGINT', resolve);
			process.on('SIGTERM', resolve);
		});
		process.stdout.write(`Open ${server.link}\n`);
		await stopRequest;
		// A part that cannot stop must not block the exit: everything important is on disk.
		setTimeout(() => process.exit(1), STOP_MS).unref();
		try {
			await server.stop();
		} catch (error) {
			const lost = 'The timelines hold what was recorded; the next start reads it again.';
			process.stderr.write(`Stopped, but not everything could be written. ${failureWords(error)} ${lost}\n`);
			return 1;
		}
		process.stdout.write('Stopped.\n');
		return 0;
	} catch (error) {
		const words = whyNot(error, variables);
		if (words === null) log.error('Signalbox cannot start', error);
		else process.stderr.write(`${words}\n`);
		return 1;
	}
}

/** Why the server cannot start, for a person; null for a bug, which needs its stack. */
function whyNot(error: unknown, variables: Readonly<Record<string, string | undefined>>): string | null {
	if (error instanceof EnvironmentError) return error.message;
	if (isPortTaken(error)) {
		const program = programName(variables.PATH ?? '', process.cwd());
		return withProgramName(describeTakenPort(error.port), withHome(program, overtoneHome(variables), variables));
	}
	const isForeseen = error instanceof Error && (error.name === 'Error' || isDatabaseFailure(rootOf(error)));
	return isForeseen ? `Signalbox cannot start. ${failureWords(error)}` : null;
}
