import { type HubRole, scopeOf } from '#lib/hub/may.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { sendPolicies, sendRosters } from '../policies/send-documents.ts';
import type { EdgeConnection } from './hub-parts.ts';

/** Beside the hints of other replicas. */
const ROUND_MS = 2000;
/** That somebody watches is believed so long, and told again before that (HUB 6). */
const LEASE_MS = 60_000;
const LEASE_AGAIN_MS = 20_000;

/**
 * Looks every two seconds for what another replica wants of the edges that are connected to this one, and whether anybody
 * watches who could decide for them. Gives what ends it.
 */
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
			const watched = await ask<{ id: number; ms: number }>(
				`SELECT e.id, ceil(extract(epoch FROM t.watched_until - now()) * 1000)::int AS ms FROM edges e
				JOIN teams t ON t.id = e.team WHERE e.id = ANY ($1) AND t.watched_until > now()`,
				[edges],
			);
			for (const { id, ms } of watched) live.get(id)?.lease(Math.min(ms, LEASE_MS));
		},
		failed,
	);
}

/** For which teams these people may decide anything: each is the roles of one. */
export function teamsOfDeciders(people: readonly (readonly HubRole[])[]): 'all' | readonly number[] {
	const scopes = people.map((roles) => scopeOf(roles, 'decide'));
	const teams = new Set<number>();
	for (const scope of scopes) {
		if (scope.teams === 'all') return 'all';
		for (const team of [...scope.teams, ...(scope.projects ?? []).map((one) => one.team)]) teams.add(team);
	}
	return [...teams].sort((a, b) => a - b);
}

/**
 * Says for all replicas that somebody watches here who may decide, as long as they do; `watched` gives their teams. Gives what
 * ends it.
 */
export function tellWatched(
	ask: Ask,
	watched: () => 'all' | readonly number[],
	failed: (error: unknown) => void,
): () => void {
	let told = '';
	let toldAt = Number.NEGATIVE_INFINITY;
	return repeat(
		ROUND_MS,
		async () => {
			const teams = watched();
			const now = performance.now();
			if (teams.length === 0 || (JSON.stringify(teams) === told && now - toldAt < LEASE_AGAIN_MS)) return;
			told = JSON.stringify(teams);
			toldAt = now;
			await ask(
				'UPDATE teams SET watched_until = now() + make_interval(secs => $2) WHERE $1::int[] IS NULL OR id = ANY ($1)',
				[teams === 'all' ? null : [...teams], LEASE_MS / 1000],
			);
		},
		failed,
	);
}

/** Revocations and replacements are looked for this often (HUB 5). */
const CHECK_MS = 30_000;
/** Whether a database that may have crashed has all that was acknowledged. */
const CRASH_MS = 1000;

/** Has all connections look again and again whether they may stay, and whether the database has what was acknowledged. */
export function watchConnections(connections: ReadonlySet<EdgeConnection>, failed: (error: unknown) => void) {
	let mayHaveLost = false;

	/** After a crash at once; else with the others, since a proxy of the database may hide one. */
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
		/** A database whose connections broke may have crashed, and lost the last it had acknowledged (HUB 2). */
		mayHaveLost() {
			mayHaveLost = true;
		},
		stop: () => stops.forEach((stop) => void stop()),
	};
}
