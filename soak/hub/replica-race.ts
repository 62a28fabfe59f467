import { hubNameOf } from '#lib/ids/session-name.ts';
import { foldAgain } from '#lib/ingest/fold-lines.ts';
import { emptyView } from '#lib/session/fold.ts';
import { storyOf } from '#server/hub/testing/hub-rig.ts';
import type { ReplicaFixture } from './replica-fixture.ts';
import type { Viewer } from './viewer.ts';

/** Nothing may take longer than this, whatever was killed. */
const PATIENCE_MS = 120_000;
const FAULTS = ['replica', 'redis', 'postgres', 'network', 'replica'] as const;

export interface RaceSize {
	/** Each with new sessions and new viewers. */
	runs: number;
	/** Of each run. */
	faults: number;
	sessions: number;
	/** Calls of each session of a run; each is two events. */
	calls: number;
	viewers: number;
	seed: number;
	/** Begins no other run after this (ms on the steady clock). */
	until?: number;
}

interface RaceSession {
	machine: ReplicaFixture['machines'][number];
	sessionId: string;
	name: string;
	lines: string[];
	told: number;
}

/** Numbers from 0 to below `end`, the same for the same seed. */
function randomOf(seed: number) {
	let state = seed;
	return (end: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * end);
	};
}

async function until(what: string, isSo: () => boolean) {
	const begun = performance.now();
	while (!isSo()) {
		if (performance.now() - begun > PATIENCE_MS) throw new Error(`It did not come to pass that ${what}.`);
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}

/**
 * Replicas, Redis, Postgres and the network are killed by turns while machines push and viewers watch on every replica. In
 * the end the database has each event once, in its order, and each viewer the view of a fresh fold.
 */
export async function raceReplicas(fixture: ReplicaFixture, size: RaceSize): Promise<Record<string, number>> {
	const below = randomOf(size.seed);
	const counts = {
		...{ runs: 0, events: 0, viewers: 0, replica: 0, redis: 0, postgres: 0, network: 0 },
		...{ connected: 0, holes: 0, lost: 0, doubled: 0, 'views that differ': 0, fallen: 0 },
	};
	const signedIn = await fixture.signIn();

	async function fault(kind: (typeof FAULTS)[number], meanwhile: () => Promise<void>) {
		counts[kind] += 1;
		const at = below(fixture.replicas.length);
		if (kind === 'replica') await fixture.kill(at);
		else if (kind === 'redis') await fixture.redis.crash();
		else if (kind === 'postgres') await fixture.cluster.crash();
		else for (const front of fixture.fronts) front.cut();
		await meanwhile();
		if (kind === 'replica') await fixture.start(at);
		else if (kind === 'redis') await fixture.redis.start();
		else if (kind === 'postgres') await fixture.cluster.start();
		else for (const front of fixture.fronts) front.mend();
	}

	/** What the database and the viewers have of a session, when all is over. */
	async function check({ machine, sessionId, name, lines }: RaceSession, viewers: readonly Viewer[]) {
		const events = await fixture.store.reads({ teams: 'all' }).events(name, { after: 0, limit: 1_000_000 });
		const distinct = new Set(events.map(({ id }) => id));
		counts.events += events.length;
		counts.lost += lines.length - distinct.size;
		counts.doubled += events.length - distinct.size;
		if (events.some(({ id, seq }, at) => id !== `${sessionId}-${at}` || seq !== at + 1)) counts.lost += 1;
		const plain = events.map((event) => ({ ...event, sessionId }));
		const fresh = JSON.stringify({ ...foldAgain(emptyView(sessionId), plain), sessionId: name });
		for (const viewer of viewers) {
			const { machine: _, ...view } = viewer.stateOf(name).view ?? emptyView('');
			if (sorted(JSON.parse(fresh)) !== sorted(view)) counts['views that differ'] += 1;
		}
		if (machine.state().state !== 'connected') counts.lost += 1;
	}

	async function run(nth: number) {
		const sessions = Array.from({ length: size.sessions }, (_, n): RaceSession => {
			const machine = fixture.machines[n % fixture.machines.length];
			if (!machine) throw new Error('There is no machine.');
			const sessionId = `r${nth}s${n}`;
			const lines = storyOf(sessionId, size.calls)
				.toString('utf8')
				.split(/(?<=\n)(?=\n)/);
			return { machine, sessionId, name: hubNameOf({ edge: machine.edge, sessionId }), lines, told: 0 };
		});
		const names = sessions.map(({ name }) => name);
		const viewers = Array.from({ length: size.viewers }, (_, n) =>
			fixture.watch(n % fixture.replicas.length, signedIn, names),
		);
		const has = (viewer: Viewer, seqs: ReadonlyMap<string, number>) =>
			names.every((name) => (viewer.stateOf(name).view?.seq ?? 0) >= (seqs.get(name) ?? 0));
		const toldNow = () => new Map(sessions.map(({ name, told }) => [name, told]));

		/** A few lines of any session, until so many were told. */
		async function writeLines(count: number) {
			for (let left = count; left > 0; ) {
				const open = sessions.filter(({ told, lines }) => told < lines.length);
				const session = open[below(open.length)];
				if (!session) return;
				const some = session.lines.slice(session.told, session.told + 1 + below(5));
				session.told += some.length;
				left -= some.length;
				session.machine.tell(session.sessionId, some.join(''));
				if (below(4) === 0) await new Promise((resolve) => setTimeout(resolve, below(20)));
			}
		}

		const share = Math.ceil((size.sessions * size.calls * 2) / (size.faults * 2));
		let before = toldNow();
		for (let n = 0; n < size.faults; n += 1) {
			await writeLines(share);
			const kind = FAULTS[size.faults < FAULTS.length ? n : below(FAULTS.length)] ?? 'replica';
			await fault(kind, () => writeLines(share));
			// Everybody has come at least to where this turn began.
			const marks = before;
			await until(`viewers go on after ${kind}`, () => viewers.every((viewer) => has(viewer, marks)));
			before = toldNow();
		}
		await writeLines(Number.POSITIVE_INFINITY);
		const all = toldNow();
		await until('each viewer has everything', () => viewers.every((viewer) => has(viewer, all)));

		for (const session of sessions) await check(session, viewers);
		for (const viewer of viewers) {
			viewer.stop();
			counts.connected += viewer.counts.connected;
			counts.holes += viewer.counts.holes;
		}
		counts.runs += 1;
		counts.viewers += viewers.length;
	}

	for (let nth = 0; nth < size.runs; nth += 1) {
		if (performance.now() > (size.until ?? Number.POSITIVE_INFINITY)) break;
		await run(nth);
		if (fixture.fallen.length > 0) throw new Error(fixture.fallen.join('\n'));
	}
	counts.fallen = fixture.fallen.length;
	return counts;
}

/** As JSON whose keys are in order. */
const sorted = (value: unknown): string =>
	JSON.stringify(value, (_, part: unknown) =>
		typeof part === 'object' && part !== null && !Array.isArray(part)
			? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
			: part,
	);
