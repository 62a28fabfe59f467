import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connectDatabase } from '../database/database.ts';
import { addEdge, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { acceptByRules, createEdgeStore, createFleetRules } from './edge-store.ts';

vi.setConfig({ testTimeout: 60_000 });
const PATIENCE_MS = 20_000;

describe.runIf(postgresPrograms !== undefined)('replicas that change many machines at once', () => {
	const newDatabase = sharedDatabases();
	let seen: ReturnType<typeof openStore>;
	let other: Awaited<ReturnType<typeof connectDatabase>>;
	beforeEach(async () => {
		const url = await newDatabase();
		seen = openStore(url);
		other = await connectDatabase(url);
		// Statements of the pool, which connects later, go through the table as it lies.
		for (const way of ['enable_indexscan', 'enable_bitmapscan'])
			await other.query(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET ${way} = off', current_database()); END $$`);
	});
	afterEach(async () => {
		await other.end();
		await seen.store.close();
	});

	test.each([
		['machines of jobs that are silent', "ephemeral = true, joined_at = now() - interval '2 days'", 'revoked'],
		['pending machines that a rule fits', "status = 'pending', labels = '{ci}'", 'joined'],
	])(
		'%s are changed in the order of their numbers, so that two replicas never wait for each other',
		async (_what, as, after) => {
			const { query } = seen.database;
			const [low, high] = [await addEdge(seen.database), await addEdge(seen.database)];
			await createFleetRules(query).add('team', ['ci']);
			// The first one now lies behind the second.
			for (const { edge } of [high, low]) await query(`UPDATE edges SET ${as} WHERE id = $1`, [edge]);
			await other.query('BEGIN');
			await other.query('SELECT 1 FROM edges WHERE id = $1 FOR UPDATE', [low.edge]);
			const changed = Promise.all([createEdgeStore(query).endSilent(), acceptByRules(query)]);
			await vi.waitFor(async () => {
				const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
				expect(await query(waits)).toHaveLength(1);
			}, PATIENCE_MS);
			const free = await other.query('SELECT id FROM edges WHERE id = $1 FOR UPDATE NOWAIT', [high.edge]);
			expect(free.rows).toEqual([{ id: high.edge }]);
			await other.query('COMMIT');
			await changed;
			expect((await query<{ status: string }>('SELECT status FROM edges')).map(({ status }) => status)).toEqual([
				after,
				after,
			]);
		},
	);
});
