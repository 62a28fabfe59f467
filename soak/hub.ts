/*
 * `npm run soak hub [--minutes N] [--seed N]`: a hub of three replicas (HUB 13). Replicas, Redis, Postgres and the network are
 * killed while machines push and 30 viewers watch, 20 runs of 10 kills, or as many as fit into the minutes; then Redis is
 * away for 60 s, twice. Before that 10,000 spoilt decisions come to a machine. Needs Debian's `postgresql` and `redis-server`.
 */
import { parseArgs } from 'node:util';
import { postgresPrograms } from '#server/hub/testing/postgres-cluster.ts';
import { redisProgram } from '#server/hub/testing/redis-server.ts';
import { packUnderKills } from './hub/archives.ts';
import { keepRedisAway } from './hub/redis-away.ts';
import { startReplicaFixture } from './hub/replica-fixture.ts';
import { raceReplicas } from './hub/replica-race.ts';
import { spoilCommands } from './hub/spoilt-commands.ts';

const { values } = parseArgs({
	strict: false,
	options: { minutes: { type: 'string' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const until = performance.now() + Number(values.minutes ?? 60) * 60_000;

if (!postgresPrograms || !redisProgram) {
	console.error('soak hub: Postgres or Redis is missing; on Debian: apt-get install postgresql redis-server');
	process.exit(1);
}

/** Prints what a part has found; what must be nothing and is not makes the run fail. */
function reportPart(part: string, counts: Readonly<Record<string, number>>) {
	console.log(
		`hub, ${part}: ${Object.entries(counts)
			.map(([what, count]) => `${what} ${count}`)
			.join(', ')}`,
	);
	for (const what of ['lost', 'doubled', 'views that differ', 'fallen', 'released'])
		if (counts[what]) process.exitCode = 1;
}

console.log(`hub: seed ${seed}`);
reportPart('archives', await packUnderKills({ runs: 40, seed }));
reportPart('spoilt decisions', await spoilCommands({ seed, count: 10_000 }));
const fixture = await startReplicaFixture({ replicas: 3, machines: 4 });
try {
	const size = { runs: 20, faults: 10, sessions: 20, calls: 63, viewers: 30 };
	reportPart('race', await raceReplicas(fixture, { seed, until, ...size }));
	for (const isHalted of [false, true])
		reportPart(
			`Redis away, ${isHalted ? 'halted' : 'killed'}`,
			await keepRedisAway(fixture, { awayMs: 60_000, isHalted }),
		);
} finally {
	await fixture.stop();
}
