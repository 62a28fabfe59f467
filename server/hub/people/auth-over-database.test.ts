import { afterAll, describe, vi } from 'vitest';
import { describeAuth } from '../../testing/auth.contract.ts';
import { type HubDatabase, openHubDatabase } from '../database/database.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createPeopleStore } from './people-store.ts';
import { createHubAuth, createSignInStore } from './sign-ins.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.runIf(postgresPrograms !== undefined)('a hub', () => {
	const newDatabase = sharedDatabases();
	const opened: HubDatabase[] = [];
	afterAll(async () => {
		for (const database of opened) await database.close();
	});

	describeAuth('the database of a hub', async () => {
		const database = openHubDatabase(await newDatabase(), () => undefined);
		opened.push(database);
		const signIns = createSignInStore(database.query);
		const owner = await createPeopleStore(database.query).owner();
		const auth = createHubAuth({
			signIns,
			url: new URL('http://hub.example:7777'),
			now: Date.now,
			ended: () => undefined,
		});
		const mintToken = async () => (await signIns.mintToken(owner, 'tool', 1)).token;
		return { auth, host: 'hub.example:7777', port: 7777, mintLink: () => signIns.mintLink(owner), mintToken };
	});
});
