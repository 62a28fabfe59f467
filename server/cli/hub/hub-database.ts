import { readEnvironment } from '../../env.ts';
import type { Terminal } from '../command.ts';

/** The database that this hub is over. Throws where none is named. */
export function databaseOf({ env }: Terminal): string {
	const { databaseUrl } = readEnvironment(env);
	if (databaseUrl !== undefined) return databaseUrl;
	throw new Error(
		'A hub needs a Postgres: set SIGNALBOX_DATABASE_URL, such as postgres://signalbox@localhost/signalbox.',
	);
}
