import type { Log } from './log.ts';

/**
 * A server goes on whatever happens to one request or to its output: what throws ends that request, never the server
 * (rule S14), as state is rebuilt from files anyway; and whoever reads its output may leave, or its disk be full.
 */
export function keepGoing(log: Log): void {
	for (const stream of [process.stdout, process.stderr]) {
		// A command ends with its reader; a log error written to the log would loop.
		stream.removeAllListeners('error');
		stream.on('error', () => {});
	}
	process.on('uncaughtException', (error) => log.error('An error that nobody caught', error));
	process.on('unhandledRejection', (error) => log.error('A rejection that nobody caught', error));
}
