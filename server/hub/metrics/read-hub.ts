import type { Ask } from '../database.ts';
import type { HintState } from '../hints.ts';
import { dayOf } from '../session-place.ts';
import type { HubMeters } from './hub-meters.ts';
import type { HubReadings } from './hub-metrics.ts';
import { gaugeOf } from './meters.ts';

/** What the database is asked for counts of all machines, which need not be of this second. */
const CENSUS_MS = 10_000;

/** How a machine that is connected says it stands. */
export interface EdgeStanding {
	behindBytes: number;
	lateMs: number;
	/** Of its clock, from ours. */
	skewMs: number;
}

/** What this replica knows of itself at any moment. */
export interface ReplicaNow {
	connected: number;
	waitingBytes: number;
	database: boolean;
	hints: Pick<HintState, 'up' | 'unsent' | 'unproven'>;
	/** Of those machines that have said it. */
	standings: readonly EdgeStanding[];
}

interface Census {
	edges: Record<string, number>;
	lastDay: number | null;
	waiting: number;
	refused: Record<string, number>;
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
		const edges = { joined: 0, quarantined: 0, revoked: 0 };
		try {
			const [found, [days], commands] = await Promise.all([
				ask<{ status: string; count: number }>('SELECT status, count(*) FROM edges GROUP BY status'),
				ask<{ last: number | null }>(
					`SELECT max(substring(c.relname FROM '^views_([0-9]+)$')::int) AS last
					FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'views'::regclass`,
				),
				ask<{ state: string; kind: string; count: number }>(
					"SELECT state, kind, count(*) FROM commands WHERE state IN ('waiting', 'refused') GROUP BY state, kind",
				),
			]);
			const counted = Object.fromEntries(found.map(({ status, count }) => [status, count]));
			const refused = commands.filter(({ state }) => state === 'refused').map(({ kind, count }) => [kind, count]);
			return {
				edges: { ...edges, ...counted },
				lastDay: days?.last ?? null,
				waiting: commands.reduce((sum, { state, count }) => sum + (state === 'waiting' ? count : 0), 0),
				refused: Object.fromEntries([['decision', 0], ['policy', 0], ...refused]),
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
			// Of a hub that nothing has come to yet there are no days.
			signalbox_hub_partition_days_ahead: gaugeOf(
				typeof counted?.lastDay === 'number' ? counted.lastDay - dayOf(now()) : undefined,
			),
			signalbox_hub_memory_bytes: gaugeOf(process.memoryUsage.rss()),
		};
	};
}

function worst(values: readonly number[]): { max: number; p99: number } {
	const sorted = [...values].sort((a, b) => a - b);
	return { max: sorted.at(-1) ?? 0, p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0 };
}
