import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostgresCluster, postgresPrograms, startPostgres } from '../testing/postgres-cluster.ts';
import { hubMigrations, migrateHub } from './check-database.ts';

describe.runIf(postgresPrograms !== undefined)('the tables of a hub', () => {
	let cluster: PostgresCluster;
	beforeAll(async () => {
		cluster = await startPostgres();
	});
	afterAll(() => cluster.remove());

	async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
		const client = new pg.Client({ connectionString: url });
		await client.connect();
		try {
			return await work(client);
		} finally {
			await client.end();
		}
	}

	test('several that migrate at once apply each file once, and one that comes later finds nothing to do', async () => {
		const empty = (await cluster.database()).replace(/hub_\d+/, 'empty');
		await withClient(empty.replace('empty', 'postgres'), (client) => client.query('CREATE DATABASE empty'));
		const applied = await Promise.all([1, 2, 3].map(() => migrateHub(empty)));
		expect(applied.flat()).toEqual(hubMigrations());
		expect(await migrateHub(empty)).toEqual([]);
	});

	test('several that make the partitions of a day at once make them once, also while somebody reads', async () => {
		const url = await cluster.database();
		await withClient(url, async (reader) => {
			await reader.query('BEGIN');
			await reader.query('SELECT count(*) FROM events');
			const days = [20_000, 20_001, 20_000, 20_001, 20_000, 20_002];
			await Promise.all(
				days.map((day) => withClient(url, (client) => client.query('SELECT make_partitions($1)', [day]))),
			);
			await reader.query('ROLLBACK');
			const { rows } = await reader.query<{ name: string }>(
				"SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1",
			);
			expect(rows.map(({ name }) => name)).toEqual(['events_20000', 'events_20001', 'events_20002']);
		});
	});

	test('a crash of Postgres leaves the tables as they were', async () => {
		const url = await cluster.database();
		await cluster.crash();
		await cluster.start();
		expect(await migrateHub(url)).toEqual([]);
	});
});
