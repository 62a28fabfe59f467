import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { dispatch } from '../../cli/dispatch.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { checkDatabase, ownDatabase } from './check-database.ts';
import { openHubIdentity } from './hub-key.ts';

describe.runIf(postgresPrograms !== undefined)('whose a hub’s database is', () => {
	const newDatabase = sharedDatabases();
	const homes: string[] = [];
	afterAll(async () => {
		for (const home of homes) rmSync(home, { recursive: true });
	});

	function makeHome() {
		const home = mkdtempSync(join(tmpdir(), 'hub-owner-'));
		homes.push(home);
		return home;
	}
	const rootOf = (home: string, origin = 'https://hub.example') =>
		openHubIdentity({ home, path: undefined, origin, name: 'hub' }).root;

	test('a hub with another key or address does not start and makes no code, and the doctor reports it', async () => {
		const databaseUrl = await newDatabase();
		const [own, other] = [makeHome(), makeHome()];
		async function run(home: string, ...args: string[]) {
			const lines: string[] = [];
			const writeLine = (line: string) => void lines.push(line);
			const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
			return [await dispatch(['hub', ...args], { env, cwd: home, print: writeLine, say: writeLine }), lines.join('\n')];
		}
		const at = (origin: string) => ['--url', origin];
		const here = at('https://hub.example');
		// Before the first has served it is nobody's.
		expect(await run(other, 'code', ...here)).toEqual([0, expect.stringContaining('signalbox join')]);
		const serve = (root: ReturnType<typeof rootOf>) => checkDatabase(databaseUrl, (query) => ownDatabase(query, root));
		const roots = [rootOf(own), rootOf(other)] as const;
		expect(await serve(roots[0])).toEqual([]);
		expect(await serve(roots[0]), 'a second replica').toEqual([]);
		expect(await serve(roots[1])).toEqual([expect.stringContaining('another key than this home. Copy')]);

		const elsewhere = at('https://moved.example');
		for (const [home, address, why] of [
			[other, here, 'SIGNALBOX_HUB_KEY'],
			[own, elsewhere, '--url https://hub.example, or'],
		] as const) {
			for (const word of [[], ['code'], ['doctor']])
				expect(await run(home, ...word, ...address)).toEqual([1, expect.stringContaining(why)]);
		}
		expect(await run(own, 'code', ...here)).toEqual([0, expect.stringContaining('signalbox join')]);
		for (const address of [[], here])
			expect(await run(own, 'doctor', ...address)).toEqual([0, 'The database is ready for a hub.']);
		// One that has no key yet is no other hub.
		const fresh = makeHome();
		expect(await run(fresh, 'doctor')).toEqual([0, 'The database is ready for a hub.']);
	});
});
