import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ownDatabase } from '../../hub/database/check-database.ts';
import { openHubDatabase } from '../../hub/database/database.ts';
import { openHubIdentity } from '../../hub/database/hub-key.ts';
import { createEdgeStore } from '../../hub/edges/edge-store.ts';
import { postgresPrograms } from '../../hub/testing/postgres-cluster.ts';
import { sharedDatabases } from '../../hub/testing/shared-databases.ts';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { dispatch } from '../dispatch.ts';

const origin = 'https://hub.example';

describe.runIf(postgresPrograms !== undefined)('what is done to a hub at its own machine', () => {
	const newDatabase = sharedDatabases();
	const homes: string[] = [];
	afterAll(() => {
		for (const home of homes) rmSync(home, { recursive: true });
	});
	const newHome = () => {
		const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
		homes.push(home);
		return home;
	};

	test('it is in the journal of the team as the actions of admins on pages are, and without the hub’s own key nothing is done', async () => {
		const databaseUrl = await newDatabase();
		const database = openHubDatabase(databaseUrl, () => undefined);
		const [home, keyless, foreign] = [newHome(), newHome(), newHome()];
		const identityOf = (of: string) => openHubIdentity({ home: of, path: undefined, origin, name: 'hub' });
		await ownDatabase(database.query, identityOf(home).root);
		identityOf(foreign);
		async function run(of: string, ...args: string[]) {
			const lines: string[] = [];
			const writeLine = (line: string) => void lines.push(line);
			const env = { HOME: of, OVERTONE_HOME: of, SIGNALBOX_DATABASE_URL: databaseUrl };
			return [
				await dispatch(['hub', ...args], { env, cwd: of, print: writeLine, say: writeLine }),
				lines.join('\n'),
			] as const;
		}
		await run(home, 'code', '--url', origin, '--team', 'shop', '--minutes', '5');
		const code = await createEdgeStore(database.query).mintCode('shop', 1, 10);
		await createEdgeStore(database.query).join({ code, key: makeKey().publicKey, name: 'laptop', version: '1' });
		const doings = [
			['accept', '1'],
			['revoke', '1'],
			['keep', '--team', 'shop', '--days', '30'],
			['rule', 'add', '--team', 'shop', '--labels', 'ci'],
			['rule', 'remove', '1'],
		];
		for (const args of doings) {
			expect(await run(keyless, ...args)).toEqual([1, expect.stringContaining('SIGNALBOX_HUB_KEY')]);
			expect(await run(foreign, ...args)).toEqual([1, expect.stringContaining('another key than this home')]);
		}
		const rows = () =>
			database.query<Record<'kind' | 'subject' | 'payload', string>>(
				'SELECT kind, subject, payload FROM hub_journal ORDER BY n',
			);
		expect(await rows()).toHaveLength(1);
		for (const args of doings) expect([args, (await run(home, ...args))[0]]).toEqual([args, 0]);
		expect((await run(home, 'accept', '1'))[0], 'it was sent away').toBe(1);
		expect((await rows()).map(({ kind, subject, payload }) => [kind, subject, JSON.parse(payload)])).toEqual([
			['edge:code', 'team:1', { by: 'machine', uses: 1, until: expect.any(String), labels: [] }],
			['edge:accept', 'edge:1', { by: 'machine', machine: 'laptop', state: 'joined', reason: null }],
			['edge:revoke', 'edge:1', { by: 'machine', machine: 'laptop', state: 'joined', reason: null }],
			['team:keep', 'team:1', { by: 'machine', days: 30, drop: false }],
			['rule:add', 'team:1', { by: 'machine', labels: ['ci'] }],
			['rule:remove', 'rule:1', { by: 'machine', labels: ['ci'] }],
		]);
		await database.close();
	});
});
