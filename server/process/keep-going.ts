import type { Log } from './log.ts';

/**
 * An uncaught error ends its request, never the server: state is rebuilt from files anyway. A closed or full output is ignored,
 * too.
 */
export function keepGoing(log: Log): void {
	for (const stream of [process.stdout, process.stderr]) {
		// A command ends with its reader; a log error that is logged would loop.
		stream.removeAllListeners('error');
		stream.on('error', () => {});
	}
	process.on('uncaughtException', (error) => log.error('An error that nobody caught', error));
	process.on('unhandledRejection', (error) => log.error('A rejection that nobody caught', error));
}
