import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sendHostileFrames } from '#soak/hub/hostile-edge.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { createLog } from '../log.ts';
import { postgresPrograms } from './testing/postgres-cluster.ts';
import { startReplica } from './testing/replica-rig.ts';
import { sharedDatabases } from './testing/shared-databases.ts';

vi.setConfig({ testTimeout: 3_600_000 });

describe.runIf(postgresPrograms !== undefined)('hostile edges', () => {
	const newDatabase = sharedDatabases();
	const errors: string[] = [];
	const log = createLog((line) => void (/ error /.test(line) && errors.push(line)));
	let rig: Awaited<ReturnType<typeof startReplica>>;
	beforeAll(async () => {
		rig = await startReplica(await newDatabase(), { log });
	});
	afterAll(() => rig.stop());

	test('R2120 hub: whatever frames a hostile edge sends, it is answered or sent away with a reason, and an honest one goes on', async () => {
		const { numRuns, seed } = soakRuns('hub', 400, 10_000);
		const { counts, reasons, bystander } = await sendHostileFrames({ url: rig.url, code: rig.newCode }, numRuns, seed);
		soakCounts('hub', {
			...counts,
			reasons: reasons.size,
			'slowest of the other, ms': Math.round(Math.max(...bystander.waitedMs)),
		});
		expect(errors).toEqual([]);
		const told = await rig.seen.store
			.reads({ teams: 'all' })
			.events(`${bystander.edge}/victim`, { after: 0, limit: 1e6 });
		expect(told.map(({ id, seq }) => `${id} ${seq}`)).toEqual(bystander.ids.map((id, n) => `${id} ${n + 1}`));
		if (process.env.SIGNALBOX_SOAK) expect(Math.max(...bystander.waitedMs)).toBeLessThan(2000);
	});
});
