import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendHostileFrames } from '#soak/hub/hostile-edge.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { freePort } from '../free-port.ts';
import { createLog } from '../log.ts';
import { createEdgeBook, type EdgeBook } from './edge-book.ts';
import { openHubIdentity } from './hub-key.ts';
import { type HubServer, startHub } from './hub-server.ts';
import { openStore } from './testing/hub-rig.ts';
import { type PostgresCluster, postgresPrograms, startPostgres } from './testing/postgres-cluster.ts';

vi.setConfig({ testTimeout: 3_600_000 });

describe.runIf(postgresPrograms !== undefined)('hostile edges', () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const errors: string[] = [];
	const log = createLog((line) => void (/ error /.test(line) && errors.push(line)));
	let cluster: PostgresCluster;
	let hub: HubServer;
	let seen: ReturnType<typeof openStore>;
	let edges: EdgeBook;
	let url: string;
	beforeAll(async () => {
		cluster = await startPostgres();
		const databaseUrl = await cluster.database();
		seen = openStore(databaseUrl);
		edges = createEdgeBook(seen.database.ask);
		const port = await freePort();
		url = `http://127.0.0.1:${port}`;
		const identity = openHubIdentity({ home, path: undefined, origin: url, name: 'hub' });
		hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log });
	});
	afterAll(async () => {
		await hub.drain();
		await seen.store.close();
		await cluster.remove();
		rmSync(home, { recursive: true, force: true });
	});
	const code = () => edges.mintCode('team', 1, 60);

	test('R2120 hub: whatever frames a hostile edge sends, it is answered or sent away with a reason, and an honest one goes on', async () => {
		const { numRuns, seed } = soakRuns('hub', 400, 10_000);
		const { counts, reasons, bystander } = await sendHostileFrames({ url, code }, numRuns, seed);
		soakCounts('hub', {
			...counts,
			reasons: reasons.size,
			'slowest of the other, ms': Math.round(Math.max(...bystander.waitedMs)),
		});
		expect(errors).toEqual([]);
		const told = await seen.store.reads({ teams: 'all' }).events(`${bystander.edge}/victim`, { after: 0, limit: 1e6 });
		expect(told.map(({ id, seq }) => `${id} ${seq}`)).toEqual(bystander.ids.map((id, n) => `${id} ${n + 1}`));
		if (process.env.SIGNALBOX_SOAK) expect(Math.max(...bystander.waitedMs)).toBeLessThan(2000);
	});
});
