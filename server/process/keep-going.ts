import type { Log } from './log.ts';

/**
 * Keeps the server running after an uncaught error: it ends the request that caused it, never the server, since state
 * is rebuilt from files anyway. Also ignores that the reader of its output has left, or that its disk is full.
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
