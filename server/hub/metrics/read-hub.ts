import type { Ask } from '../database/database.ts';
import type { HintState } from '../hints/hints.ts';
import { type JobsState, readJobsState } from '../jobs/jobs-state.ts';
import type { ConnectedEdgeStatus } from '../machines/edge-store.ts';
import { readLeftOut } from '../policies/roster-store.ts';
import { readRosterAge } from '../policies/send-documents.ts';
import type { HubMeters } from './hub-meters.ts';
import type { HubReadings } from './hub-metrics.ts';
import { gaugeOf } from './meters.ts';

/** What the database is asked for counts of all machines, which need not be of this second. */
const CENSUS_MS = 10_000;

/** What this replica knows of itself at any moment. */
export interface ReplicaNow {
	connected: number;
	waitingBytes: number;
	database: boolean;
	hints: Pick<HintState, 'up' | 'unsent' | 'unproven'>;
	/** Of those machines that have said it. */
	standings: readonly ConnectedEdgeStatus[];
}

interface Census {
	edges: Record<string, number>;
	jobs: JobsState;
	waiting: number;
	refused: Record<string, number>;
	/** Of the oldest roster that a connected machine holds, in seconds; undefined where none holds any. */
	rosterAge: number | undefined;
	/** Signed passkeys that a team's roster has no room for. */
	leftOut: number;
}

/** Reads everything that `HUB_METRICS` names. What the database does not say now is left out, never made up. */
export function createHubReader({
	ask,
	meters,
	replica,
	now,
}: {
	ask: Ask;
	meters: HubMeters;
	replica: () => ReplicaNow;
	now: () => number;
}): () => Promise<HubReadings> {
	let asked: { at: number; census: Promise<Census | undefined> } | undefined;

	async function takeCensus(): Promise<Census | undefined> {
		const edges = { pending: 0, joined: 0, quarantined: 0, revoked: 0 };
		try {
			const [found, jobs, commands, rosterAge, leftOut] = await Promise.all([
				ask<{ status: string; count: number }>('SELECT status, count(*) FROM edges GROUP BY status'),
				readJobsState(ask, now()),
				ask<{ state: string; kind: string; count: number }>(
					"SELECT state, kind, count(*) FROM commands WHERE state IN ('waiting', 'refused') GROUP BY state, kind",
				),
				readRosterAge(ask, now()),
				readLeftOut(ask),
			]);
			const counted = Object.fromEntries(found.map(({ status, count }) => [status, count]));
			const refused = commands.filter(({ state }) => state === 'refused').map(({ kind, count }) => [kind, count]);
			return {
				edges: { ...edges, ...counted },
				jobs,
				waiting: commands.reduce((sum, { state, count }) => sum + (state === 'waiting' ? count : 0), 0),
				refused: Object.fromEntries([['decision', 0], ['policy', 0], ...refused]),
				rosterAge,
				leftOut: [...leftOut.values()].reduce((sum, { length }) => sum + length, 0),
			};
		} catch {
			// `database_up` says it.
			return;
		}
	}

	function census(): Promise<Census | undefined> {
		if (!asked || now() - asked.at >= CENSUS_MS) asked = { at: now(), census: takeCensus() };
		return asked.census;
	}

	return async () => {
		const counted = await census();
		const { connected, waitingBytes, database, hints, standings } = replica();
		const skews = standings.map(({ skewMs }) => Math.abs(skewMs));
		return {
			...meters,
			signalbox_hub_database_up: gaugeOf(Number(database && counted !== undefined)),
			signalbox_hub_edges: gaugeOf(counted?.edges),
			signalbox_hub_edges_connected: gaugeOf(connected),
			signalbox_hub_lag_bytes: gaugeOf(worst(standings.map(({ behindBytes }) => behindBytes))),
			signalbox_hub_lag_seconds: gaugeOf(worst(standings.map(({ lateMs }) => lateMs / 1000))),
			signalbox_hub_clock_skew_seconds: gaugeOf(Math.max(0, ...skews) / 1000),
			signalbox_hub_waiting_bytes: gaugeOf(waitingBytes),
			signalbox_hub_hints_up: gaugeOf(Number(hints.up)),
			signalbox_hub_hints_unsent_total: gaugeOf(hints.unsent),
			signalbox_hub_hints_unproven_total: gaugeOf(hints.unproven),
			signalbox_hub_commands_waiting: gaugeOf(counted?.waiting),
			signalbox_hub_commands_refused_total: gaugeOf(counted?.refused),
			signalbox_hub_roster_left_out: gaugeOf(counted?.leftOut),
			signalbox_hub_roster_age_seconds: gaugeOf(counted?.rosterAge),
			signalbox_hub_partition_days_ahead: gaugeOf(counted && daysAheadOf(counted.jobs)),
			signalbox_hub_archive_debt: gaugeOf(counted?.jobs.debt),
			signalbox_hub_jobs_failed: gaugeOf(counted?.jobs.jobs.filter(({ error }) => error !== null).length),
			signalbox_hub_memory_bytes: gaugeOf(process.memoryUsage.rss()),
		};
	};
}

/** Of a hub that has just begun nobody has made any days yet. */
const daysAheadOf = ({ daysAhead, jobs }: JobsState) =>
	daysAhead >= 0 || jobs.some(({ ranAt }) => ranAt !== null) ? daysAhead : undefined;

function worst(values: readonly number[]): { max: number; p99: number } {
	const sorted = [...values].sort((a, b) => a - b);
	return { max: sorted.at(-1) ?? 0, p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0 };
}
