import { checkDatabase } from '../../hub/database/check-database.ts';
import { type HubDatabase, openHubDatabase } from '../../hub/database/database.ts';
import { type Terminal, UsageError } from '../../process/command.ts';
import { readEnvironment } from '../../process/env.ts';

/** The database that this hub is over. Throws where none is named. */
export function databaseOf({ env }: Terminal): string {
	const { databaseUrl } = readEnvironment(env);
	if (databaseUrl !== undefined) return databaseUrl;
	throw new Error(
		'A hub needs a Postgres: set SIGNALBOX_DATABASE_URL, such as postgres://signalbox@localhost/signalbox.',
	);
}

/** Works on the database, then lets go of it. What fails since it is away or not ready is said as `hub doctor` says it. */
export async function withDatabase<T>(url: string, work: (database: HubDatabase) => Promise<T>): Promise<T> {
	const database = openHubDatabase(url, () => undefined);
	try {
		return await work(database);
	} catch (error) {
		const problems = error instanceof UsageError ? [] : await checkDatabase(url);
		throw problems.length > 0 ? new Error(problems.join('\n'), { cause: error }) : error;
	} finally {
		await database.close();
	}
}
