import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openHubDatabase } from '../../hub/database/database.ts';
import { openHubIdentity, RootSet } from '../../hub/database/hub-key.ts';
import { createEdgeStore } from '../../hub/edges/edge-store.ts';
import { createPasskeyStore } from '../../hub/people/hub-passkeys.ts';
import { createPeopleStore } from '../../hub/people/people-store.ts';
import { postgresPrograms } from '../../hub/testing/postgres-cluster.ts';
import { sharedDatabases } from '../../hub/testing/shared-databases.ts';
import { dispatch } from '../dispatch.ts';

const origin = 'https://hub.example';

describe.runIf(postgresPrograms !== undefined)('the root passkeys of a hub', () => {
	const newDatabase = sharedDatabases();
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	afterAll(() => rmSync(home, { recursive: true }));

	test('they are made and taken at the hub’s machine, and held against the keys that the database has', async () => {
		const databaseUrl = await newDatabase();
		const { query, close } = openHubDatabase(databaseUrl, () => undefined);
		openHubIdentity({ home, path: undefined, origin, name: 'hub' });
		await createEdgeStore(query).mintCode('shop', 1, 10);
		const person = await createPeopleStore(query).owner();
		for (const id of ['one', 'two'])
			await createPasskeyStore(query).add({ credentialId: id, person, publicKey: `key-${id}`, counter: 0, label: id });
		async function run(...args: string[]) {
			const lines: string[] = [];
			const writeLine = (line: string) => void lines.push(line);
			const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
			const code = await dispatch(['hub', ...args], { env, cwd: home, print: writeLine, say: writeLine });
			return [code, lines.join('\n')] as const;
		}
		const kept = () => RootSet.parse(JSON.parse(readFileSync(join(home, 'hub-root.json'), 'utf8'))).rootPasskeys;
		const addRoot = (id: string) => run('root', 'passkey', id, '--url', origin);
		expect(await addRoot('one')).toEqual([0, expect.stringContaining('Root passkey: one of Owner')]);
		expect(await addRoot('one')).toEqual([0, 'It is a root passkey already: nothing was changed.']);
		expect(await run('root', 'remove', 'one')).toEqual([1, expect.stringContaining('the only root passkey')]);
		expect(await run('root', 'remove', 'two')).toEqual([1, expect.stringContaining('No root passkey is "two"')]);
		expect((await addRoot('two'))[0]).toBe(0);
		expect(await run('doctor')).toEqual([0, 'The database is ready for a hub.']);

		// Whoever has the database alone.
		await query("UPDATE passkeys SET cose = 'key-evil' WHERE cred_id = 'one'");
		const changed = expect.stringContaining('another key for the root passkey one than hub-root.json');
		expect(await run('root')).toEqual([0, changed]);
		expect((await run('root'))[1]).toMatch(/one\tOwner\tone\troot, by another key\ntwo\tOwner\ttwo\troot\n/);
		expect(await run('doctor')).toEqual([1, changed]);
		expect(await addRoot('one')).toEqual([1, changed]);
		expect(kept()).toEqual([
			{ id: 'one', cose: 'key-one' },
			{ id: 'two', cose: 'key-two' },
		]);
		expect(await run('root', 'remove', 'one')).toEqual([
			0,
			expect.stringContaining('already trust it until they leave'),
		]);
		expect(kept()).toEqual([{ id: 'two', cose: 'key-two' }]);
		const rows = await query<Record<'kind' | 'subject' | 'payload', string>>(
			'SELECT kind, subject, payload FROM hub_journal ORDER BY n',
		);
		expect(rows.map(({ kind, subject, payload }) => [kind, subject, payload])).toEqual(
			[
				['root:add', 'passkey:one'],
				['root:add', 'passkey:two'],
				['root:remove', 'passkey:one'],
			].map((row) => [...row, '{"by":"machine"}']),
		);
		await close();
	});
});
