import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Bystander, sendHostileFrames } from '#soak/hub/hostile-edge.ts';
import { tellManySessions } from '#soak/hub/many-sessions.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { createLog } from '../../process/log.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';

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

	test('hub: whatever frames a hostile edge sends, it is answered or refused with a reason, and an honest one continues', async () => {
		const { numRuns, seed } = soakRuns('hub', 60, 10_000);
		const { counts, reasons, bystander } = await sendHostileFrames({ url: rig.url, code: rig.newCode }, numRuns, seed);
		soakCounts('hub', {
			...counts,
			reasons: reasons.size,
			'slowest of the other, ms': Math.round(Math.max(...bystander.waitedMs)),
		});
		expect(errors).toEqual([]);
		await expectUnharmed(rig, bystander);
	});

	test('hub: a machine that announces more sessions than a hub accepts is quarantined on every connection, and an honest one continues', async () => {
		const { numRuns } = soakRuns('hub', 2000, 1_000_000);
		const most = process.env.SIGNALBOX_SOAK ? undefined : 800;
		const own = await startReplica(await newDatabase(), { log, mostSessions: most });
		const accept = (edge: number) => own.edges.setStatus(edge, 'joined');
		const fixture = { url: own.url, code: own.newCode, accept };
		const { edge, counts, reasons, bystander } = await tellManySessions(fixture, numRuns);
		soakCounts('hub', { ...counts, 'slowest of the other, ms': Math.round(Math.max(...bystander.waitedMs)) });
		const { mostSessions } = own.seen.store;
		const bound = most ?? mostSessions;
		expect([...reasons]).toContain(`It reports more than ${bound} sessions.`);
		expect(counts.taken).toBeLessThanOrEqual(bound);
		expect(counts.refused).toBe(numRuns - counts.taken);
		const [held] = await own.seen.database.query<{ count: number }>('SELECT count(*) FROM sessions WHERE edge = $1', [
			edge,
		]);
		expect(held?.count).toBe(counts.taken);
		// Each of these connections had told of nothing before.
		expect(counts['sent away']).toBeGreaterThan(1);
		expect(errors).toEqual([]);
		await expectUnharmed(own, bystander);
		await own.stop();
	});

	/** Every acknowledged event is stored exactly once. */
	async function expectUnharmed({ seen }: typeof rig, { edge, ids, waitedMs }: Bystander) {
		const stored = await seen.store.reads({ teams: 'all' }).events(`${edge}/victim`, { after: 0, limit: 1e6 });
		expect(stored.map(({ id, seq }) => `${id} ${seq}`)).toEqual(ids.map((id, n) => `${id} ${n + 1}`));
		if (process.env.SIGNALBOX_SOAK) expect(Math.max(...waitedMs)).toBeLessThan(2000);
	}
});
