import { EnvironmentError, readEnvironment } from './env.ts';
import { createLog } from './log.ts';
import { startServer } from './start-server.ts';

/**
 * Runs a server until SIGINT or SIGTERM; the `start` command and `npm run dev` are this. Gives the exit code: 0 also
 * when this home's server runs already, 1 when it cannot start.
 */
export async function runServer(variables: NodeJS.ProcessEnv = process.env): Promise<number> {
	const log = createLog();
	try {
		const server = await startServer(readEnvironment(variables), log);
		if (!server.started) {
			const where = server.url ? ` at ${server.url}` : '';
			process.stdout.write(`Signalbox already runs${where} (process ${server.pid ?? 'unknown'}).\n`);
			return 0;
		}
		process.stdout.write(`Open ${await server.mintLink()}\n`);
		await new Promise((resolve) => {
			process.once('SIGINT', resolve);
			process.once('SIGTERM', resolve);
		});
		await server.stop();
		return 0;
	} catch (error) {
		if (error instanceof EnvironmentError) process.stderr.write(`${error.message}\n`);
		else log.error('Signalbox cannot start', error);
		return 1;
	}
}
