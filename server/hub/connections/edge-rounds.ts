import { type HubRole, scopeOf } from '#lib/hub/may.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { sendPolicies, sendRosters } from '../policies/send-documents.ts';
import type { EdgeConnection } from './edge-connection.ts';

const ROUND_MS = 2000;
const LEASE_MS = 60_000;
const LEASE_AGAIN_MS = 20_000;

export function startEdgeRounds(options: {
	ask: Ask;
	commands: CommandStore;
	identity: HubIdentity;
	live: ReadonlyMap<number, EdgeConnection>;
	now: () => number;
	failed: (error: unknown) => void;
}): () => void {
	const { ask, commands, identity, live, now, failed } = options;
	return repeat(
		ROUND_MS,
		async () => {
			const edges = [...live.keys()];
			if (edges.length === 0) return;
			await sendPolicies(ask, commands, edges);
			await sendRosters(ask, commands, identity, edges, now());
			for (const edge of await commands.awaited(edges)) await live.get(edge)?.command();
			const watched = await ask<{ id: number; ms: number }>`SELECT e.id, ceil(extract(epoch FROM t.watched_until -
				now()) * 1000)::int AS ms FROM edges e JOIN teams t ON t.id = e.team WHERE e.id = ANY (${edges})
				AND t.watched_until > now()`;
			for (const { id, ms } of watched) live.get(id)?.lease(Math.min(ms, LEASE_MS));
		},
		failed,
	);
}

export function teamsOfDeciders(people: readonly (readonly HubRole[])[]): 'all' | readonly number[] {
	const scopes = people.map((roles) => scopeOf(roles, 'decide'));
	const teams = new Set<number>();
	for (const scope of scopes) {
		if (scope.teams === 'all') return 'all';
		for (const team of [...scope.teams, ...(scope.projects ?? []).map((one) => one.team)]) teams.add(team);
	}
	return [...teams].sort((a, b) => a - b);
}

/** Tells all replicas that somebody who may decide watches here. */
export function tellWatched(
	ask: Ask,
	watched: () => 'all' | readonly number[],
	failed: (error: unknown) => void,
): () => void {
	let lastSent = '';
	let toldAt = Number.NEGATIVE_INFINITY;
	return repeat(
		ROUND_MS,
		async () => {
			const teams = watched();
			const now = performance.now();
			if (teams.length === 0 || (JSON.stringify(teams) === lastSent && now - toldAt < LEASE_AGAIN_MS)) return;
			lastSent = JSON.stringify(teams);
			toldAt = now;
			const ids = teams === 'all' ? null : teams;
			await ask`UPDATE teams SET watched_until = now() + make_interval(secs => ${LEASE_MS / 1000})
				WHERE ${ids}::int[] IS NULL OR id = ANY (${ids})`;
		},
		failed,
	);
}

const CHECK_MS = 30_000;
const CRASH_MS = 1000;

export function watchConnections(connections: ReadonlySet<EdgeConnection>, failed: (error: unknown) => void) {
	let mayHaveLost = false;

	/** At once after a crash, and periodically, since a proxy may hide one. */
	async function lookBack(isDue: boolean) {
		if (!isDue) return;
		mayHaveLost = false;
		try {
			await Promise.all([...connections].map((connection) => connection.lookBack()));
		} catch (error) {
			mayHaveLost = true;
			throw error;
		}
	}
	const check = async () => void (await Promise.all([...connections].map((connection) => connection.check())));
	const stops = [
		repeat(CHECK_MS, check, failed),
		repeat(CRASH_MS, () => lookBack(mayHaveLost), failed),
		repeat(CHECK_MS, () => lookBack(true), failed),
	];

	return {
		/** Connections to the database broke: it may have crashed and lost commits. */
		mayHaveLost() {
			mayHaveLost = true;
		},
		stop: () => stops.forEach((stop) => void stop()),
	};
}

const HELLOS_A_SECOND = 100;
const SECOND_MS = 1000;
const WAIT_SECONDS = { least: 2, most: 60 };

/**
 * Limits hellos, so that connected machines are not kept waiting: undefined to accept, or seconds until the machine may
 * retry.
 */
export function createAdmission(now: () => number): () => number | undefined {
	const taken = new Array<number>(HELLOS_A_SECOND).fill(Number.NEGATIVE_INFINITY);
	let next = 0;
	let owed = 0;
	let at = now();
	return () => {
		const before = at;
		at = now();
		// A clock that was set back must keep nobody out.
		if (at < before) taken.fill(Number.NEGATIVE_INFINITY);
		owed = Math.max(0, owed - (Math.max(0, at - before) / SECOND_MS) * HELLOS_A_SECOND);
		if (at - (taken[next] ?? 0) >= SECOND_MS) {
			taken[next] = at;
			next = (next + 1) % HELLOS_A_SECOND;
			return;
		}
		owed += 1;
		// Twice the time that they need, so that half of the room is left for others.
		const seconds = Math.ceil((2 * owed) / HELLOS_A_SECOND);
		return Math.min(WAIT_SECONDS.most, Math.max(WAIT_SECONDS.least, seconds));
	};
}
