import { createHubJournal, type HubJournal } from '../../hub/core/hub-journal.ts';
import { checkDatabase, otherOwner } from '../../hub/database/check-database.ts';
import { type HubDatabase, openHubDatabase, type Query } from '../../hub/database/database.ts';
import { storedKey } from '../../hub/database/hub-key.ts';
import { Refusal, type Terminal, UsageError } from '../../process/command.ts';
import { readEnvironment } from '../../process/env.ts';
import { writableHomeOf } from '../../process/home.ts';

export function databaseOf({ env }: Terminal): string {
	const { databaseUrl } = readEnvironment(env);
	if (databaseUrl !== undefined) return databaseUrl;
	throw new Error(
		'A hub needs a Postgres: set SIGNALBOX_DATABASE_URL, such as postgres://signalbox@localhost/signalbox.',
	);
}

export async function withDatabase<T>(url: string, work: (database: HubDatabase) => Promise<T>): Promise<T> {
	const database = openHubDatabase(url, () => undefined);
	try {
		return await work(database);
	} catch (error) {
		if (error instanceof UsageError || error instanceof Refusal) throw error;
		const problems = await checkDatabase(url);
		throw problems.length > 0 ? new Error(problems.join('\n'), { cause: error }) : error;
	} finally {
		await database.close();
	}
}

/** Work on the hub's database as the owner of its machine; rows of the journal are signed by this home's key. */
export function withJournal<T>(
	terminal: Terminal,
	work: (query: Query, journal: HubJournal) => Promise<T>,
): Promise<T> {
	return withDatabase(databaseOf(terminal), async ({ query }) => {
		const key = storedKey({ home: writableHomeOf(terminal), path: readEnvironment(terminal.env).hubKey });
		if (!key)
			throw new Error(
				'This home has no key of a hub, so the journal could not say who did this. Run it where the hub runs, with the OVERTONE_HOME or SIGNALBOX_HUB_KEY of its replicas.',
			);
		const owner = await otherOwner(query, { key: key.publicKey });
		if (owner !== undefined) throw new Error(owner);
		return work(query, createHubJournal(query, key.privateKey, Date.now));
	});
}
