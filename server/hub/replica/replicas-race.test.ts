import { expect, test, vi } from 'vitest';
import { startReplicaFixture } from '#soak/hub/replica-fixture.ts';
import { raceReplicas } from '#soak/hub/replica-race.ts';
import { soakCounts, soakRuns } from '#soak/rig/soak-runs.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { redisProgram } from '../testing/redis-server.ts';

vi.setConfig({ testTimeout: 240_000 });

test.runIf(postgresPrograms !== undefined && redisProgram !== undefined)(
	'R2028 replicas, Redis, Postgres and the network are killed in turn: nothing is lost or doubled, and every viewer ends with the view of a fresh fold',
	async () => {
		const { seed } = soakRuns('replicas', 1, 1);
		const fixture = await startReplicaFixture({ replicas: 2, machines: 2 });
		try {
			const counts = await raceReplicas(fixture, { seed, runs: 1, faults: 4, sessions: 4, calls: 20, viewers: 4 });
			soakCounts('replicas', counts);
			expect(counts).toMatchObject({ events: 160, lost: 0, doubled: 0, 'views that differ': 0, fallen: 0 });
		} finally {
			await fixture.stop();
		}
	},
);
