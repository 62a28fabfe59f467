import { describe, expect, test } from 'vitest';
import { type CommandRefusal, Roster } from '#lib/contract/hub/hub-commands.ts';
import { makeKey } from '../../hub-protocol/signatures.ts';
import { createCommandStore } from '../edges/command-store.ts';
import { addEdge, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { sendRosters } from './roster-service.ts';

const NOW = Date.UTC(2026, 10, 23, 12);
const MINUTE = 60_000;
const MINUTES = NOW / MINUTE;

describe.runIf(postgresPrograms !== undefined)('the roster of a team', () => {
	const newDatabase = sharedDatabases();

	test('after its database was restored, a hub continues above the versions of its machines; a false claim has no effect', async () => {
		const { database, store } = openStore(await newDatabase());
		const { query } = database;
		const { privateKey, publicKey } = makeKey();
		const rootPasskeys = [{ id: 'root', cose: 'key' }];
		const identityFields = {
			origin: 'https://hub.example',
			name: 'hub',
			key: publicKey,
			rpId: 'hub.example',
			rootPasskeys,
		};
		const identity = { privateKey, root: { v: 2 as const, ...identityFields } };
		const commands = createCommandStore(query, identity);
		const edges = [(await addEdge(database)).edge, (await addEdge(database)).edge];
		const [one = 0, other = 0] = edges;
		await query("UPDATE edges SET level = 'passkey'");
		/** Who was sent which version, in a round so many minutes later. */
		async function sendAfter(minutes = 0): Promise<[edge: number, version: number][]> {
			await query("UPDATE commands SET state = 'done' WHERE state = 'waiting'");
			await sendRosters(query, commands, identity, edges, NOW + minutes * MINUTE);
			const sent = await Promise.all(
				edges.map(async (edge) =>
					(await commands.pending(edge, 0)).map((command): [number, number] => [
						edge,
						Roster.parse(commands.unseal(edge, command)).version,
					]),
				),
			);
			return sent.flat();
		}
		async function refuses(edge: number, why: CommandRefusal) {
			const [last] = await commands.pending(edge, 0);
			expect(await commands.recordResult(edge, { n: last?.n ?? 0, state: 'refused', why, journal: 0 })).toBe(true);
		}
		expect(await sendAfter()).toEqual([
			[one, 1],
			[other, 1],
		]);
		await refuses(other, 'roster/unsigned');
		expect(await sendAfter(), 'another version would change nothing').toEqual([]);

		// Both hold what this database has never heard of.
		await query('DELETE FROM roster_sends');
		await sendAfter();
		await refuses(one, 'roster/older');
		expect(await sendAfter()).toEqual([
			[one, MINUTES],
			[other, MINUTES],
		]);
		expect(await sendAfter()).toEqual([]);

		// Somebody changes, and the database is restored from in between: the same version has another content.
		await query("UPDATE rosters SET entries = '[0]'");
		expect(await sendAfter(5)).toEqual([
			[one, MINUTES + 1],
			[other, MINUTES + 1],
		]);
		await refuses(one, 'roster/other-content');
		expect(await sendAfter(10)).toEqual([]);
		expect(await sendAfter(11)).toEqual([
			[one, MINUTES + 11],
			[other, MINUTES + 11],
		]);

		// One that always says so is sent another each ten minutes at most, and counts nothing up to the end.
		await refuses(one, 'roster/older');
		for (const minutes of [11, 15, 20]) expect([minutes, await sendAfter(minutes)]).toEqual([minutes, []]);
		expect(await sendAfter(21)).toEqual([
			[one, MINUTES + 21],
			[other, MINUTES + 21],
		]);
		await store.close();
	});
});
