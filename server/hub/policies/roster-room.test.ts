import { describe, expect, test, vi } from 'vitest';
import { MAX_ENTRIES, type SignedEntry } from '#lib/contract/hub/hub-commands.ts';
import type { HubPeople, PersonRoster } from '#lib/contract/hub/hub-people.ts';
import { hubsOfTests } from '../../testing/hubs-of-tests.ts';
import { openHubDatabase } from '../database/database.ts';
import { createEdgeStore } from '../edges/edge-store.ts';
import { createPasskeyStore } from '../people/hub-passkeys.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { fillRoster } from './roster-service.ts';

vi.setConfig({ testTimeout: 60_000 });

const root = { id: 'root', response: { clientDataJSON: '', authenticatorData: '', signature: '' } };

describe.runIf(postgresPrograms !== undefined)('the room in a roster', () => {
	const { newDatabase, open, start } = hubsOfTests();

	test('a person without room in a roster is shown on the page People and in the numbers, and raises an alarm', async () => {
		const databaseUrl = await newDatabase();
		const hub = await start(databaseUrl);
		const { query, close } = openHubDatabase(databaseUrl, () => undefined);
		open.push(close);
		for (const team of ['shop', 'web']) await createEdgeStore(query).mintCode(team, 1, 10);
		const [shop] = await query<{ id: number }>("SELECT id FROM teams WHERE name = 'shop'");
		const role = { role: 'operator' as const, team: shop?.id ?? 0 };
		const people = [await hub.person('early', [role]), await hub.person('late', [role])];
		const enrol = async (person: number, sub: string, at: number) => {
			const id = `${sub}-${at}`;
			await createPasskeyStore(query).add({ credentialId: id, person, publicKey: 'key', counter: 0, label: id });
			const named = { iss: 'https://test.example', sub, name: sub };
			const places = [{ team: 'shop' }];
			const entry: SignedEntry = { entry: { v: 1, person: named, passkey: { id, cose: 'key' }, places }, root };
			await query('UPDATE passkeys SET entry = $2 WHERE cred_id = $1', [id, JSON.stringify(entry)]);
			return entry;
		};
		const entries = [];
		for (let index = 0; index < MAX_ENTRIES; index += 1) entries.push(await enrol(people[0] ?? 0, 'early', index));
		const owner = await hub.signIn();
		const full = async () => ((await (await owner.get('/api/hub/people')).json()) as HubPeople).full;
		expect([await full(), await hub.numberOf('signalbox_hub_roster_left_out')]).toEqual([[], 0]);

		entries.push(await enrol(people[1] ?? 0, 'late', 1));
		expect(await full()).toEqual([{ team: 'shop', leftOut: 1 }]);
		const admin = await hub.signIn(await hub.person('eve', [{ role: 'admin', team: role.team }]));
		expect((await (await admin.get('/api/hub/people')).json()).full, 'one of a team signs nobody').toEqual([]);
		const rosterOf = async (person = 0) =>
			((await (await owner.get(`/api/hub/people/${person}/roster`)).json()) as PersonRoster).passkeys;
		expect(await rosterOf(people[1])).toMatchObject([{ id: 'late-1', signed: true, leftOutOf: ['shop'] }]);
		expect((await rosterOf(people[0])).flatMap(({ leftOutOf }) => leftOutOf)).toEqual([]);

		// Whichever of the two bounds is reached first.
		const long = entries.slice(0, 50).map(({ entry, ...one }) => ({
			...{ ...one, entry: { ...entry, passkey: { ...entry.passkey, cose: 'k'.repeat(2000) } } },
			root: { ...root, id: 'r'.repeat(1000) },
		}));
		const { entries: fitting, leftOut } = fillRoster('shop', long);
		expect([fitting.length + leftOut.length, leftOut.length > 0, leftOut[0]]).toEqual([50, true, long[fitting.length]]);
		expect(JSON.stringify(fitting).length).toBeLessThan(125_000);
	});
});
