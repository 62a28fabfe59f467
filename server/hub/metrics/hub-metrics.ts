import type http from 'node:http';
import { isSameSecret } from '../../access/principal.ts';
import type { HubCore } from '../core/hub-core.ts';
import type { ConnectedEdgeStatus } from '../edges/edge-store.ts';
import type { HintState } from '../hints/hints.ts';
import { type JobsState, readJobsState } from '../jobs/jobs-state.ts';
import { readLeftOut, readRosterAge } from '../policies/roster-service.ts';
import { gaugeOf, type HubMeters, type Meter } from './hub-meters.ts';

/** A counter is judged by the last five minutes. */
export interface Alarm {
	label?: string;
	above?: number;
	below?: number;
	says: string;
	do: string;
}

interface Metric {
	kind: 'gauge' | 'counter' | 'histogram';
	help: string;
	label?: string;
	alarm?: Alarm;
}

export const HUB_METRICS = {
	signalbox_hub_database_up: {
		kind: 'gauge',
		help: 'Whether the database took the last write',
		alarm: {
			below: 1,
			says: 'The database does not answer: machines wait with what they have',
			do: 'Look whether Postgres runs and has room; machines go on by themselves.',
		},
	},
	signalbox_hub_edges: {
		kind: 'gauge',
		help: 'Machines of the hub, by how they stand',
		label: 'status',
		alarm: {
			label: 'quarantined',
			above: 0,
			says: 'Nothing more is taken of a machine that looks cloned, restored or changed, or tells of too much',
			do: '`signalbox hub edges` says which and why; `hub accept N` takes it back, `hub revoke N` sends it away.',
		},
	},
	signalbox_hub_edges_connected: { kind: 'gauge', help: 'Machines that are connected to this replica' },
	signalbox_hub_lag_bytes: {
		kind: 'gauge',
		help: 'What connected machines have and the hub does not',
		label: 'of',
	},
	signalbox_hub_lag_seconds: {
		kind: 'gauge',
		help: 'For how long the oldest of it has waited',
		label: 'of',
		alarm: {
			label: 'p99',
			above: 10,
			says: 'What happens on machines comes late',
			do: 'Look at commit seconds and at the processors of hub and Postgres; add a replica or take from Postgres what slows it.',
		},
	},
	signalbox_hub_clock_skew_seconds: {
		kind: 'gauge',
		help: 'How far the clock of a connected machine is from this one, the furthest',
		alarm: {
			above: 5,
			says: 'The clock of a machine is wrong, or that of the hub',
			do: 'Set the clocks by NTP: times of events are those of their machine.',
		},
	},
	signalbox_hub_commit_seconds: {
		kind: 'histogram',
		help: 'How long the database takes for one write of many sessions',
		label: 'le',
		alarm: {
			above: 1,
			says: 'Writing takes long',
			do: 'Look at the disk and the processors of Postgres, and whether autovacuum is on.',
		},
	},
	signalbox_hub_events_total: { kind: 'counter', help: 'Events that were written' },
	signalbox_hub_writes_failed_total: {
		kind: 'counter',
		help: 'Writes that the database broke off; each is tried again',
	},
	signalbox_hub_deadlocks_total: {
		kind: 'counter',
		help: 'Of these, those that waited for each other in a circle',
		alarm: {
			above: 0,
			says: 'Writers wait for each other in a circle',
			do: 'Something else than hubs of one version writes these tables: find it and end it.',
		},
	},
	signalbox_hub_cas_lost_total: {
		kind: 'counter',
		help: 'Ranges whose session another replica had written meanwhile',
		alarm: {
			above: 1000,
			says: 'Machines change between replicas all the time',
			do: 'Look whether the proxy cuts websockets (its time-out), and whether replicas restart.',
		},
	},
	signalbox_hub_ranges_quarantined_total: {
		kind: 'counter',
		help: 'Ranges that the database refused; each shows as a gap in its session',
		alarm: {
			above: 0,
			says: 'The database refuses what a machine has sent',
			do: 'The log says which machine. Its session shows a gap; all else goes on.',
		},
	},
	signalbox_hub_waiting_bytes: {
		kind: 'gauge',
		help: 'What has come and is not written yet',
		alarm: {
			above: 32 * 1024 * 1024,
			says: 'More comes than is written',
			do: 'Look at commit seconds; add a replica, or more processors for Postgres.',
		},
	},
	signalbox_hub_connections_ended_total: {
		kind: 'counter',
		help: 'Connections of machines that the hub has ended, by the reason',
		label: 'why',
		alarm: {
			label: 'bad',
			above: 10,
			says: 'Somebody sends what no machine sends',
			do: 'The log says which machine; `signalbox hub revoke N` sends it away.',
		},
	},
	signalbox_hub_hints_up: {
		kind: 'gauge',
		help: 'Whether replicas hear each other; always so where there is one',
		alarm: {
			below: 1,
			says: 'Redis does not answer: what another replica has taken is seen up to two seconds later',
			do: 'Look whether Redis runs; nothing is lost meanwhile.',
		},
	},
	signalbox_hub_hints_unsent_total: { kind: 'counter', help: 'Hints that reached no other replica' },
	signalbox_hub_hints_unproven_total: {
		kind: 'counter',
		help: 'Hints of which no replica of this hub can be the author',
		alarm: {
			above: 0,
			says: 'Somebody else writes to this Redis',
			do: 'Give the hub a Redis of its own, with a password. What such a hint says is not believed.',
		},
	},
	signalbox_hub_hint_gaps_total: {
		kind: 'counter',
		help: 'What somebody watches had gone on, and no hint had said so: it was found by the look each two seconds',
		alarm: {
			above: 100,
			says: 'Hints do not arrive: what another replica has taken is seen up to two seconds later',
			do: 'Look whether all replicas have the same SIGNALBOX_REDIS_URL and the same key; nothing is lost meanwhile.',
		},
	},
	signalbox_hub_catch_ups_total: {
		kind: 'counter',
		help: 'Pages of events that who watches live was given out of the database, not as they came',
	},
	signalbox_hub_decision_seconds: {
		kind: 'histogram',
		help: 'From a decision at the hub to what its machine says of it; none is waited for longer than 20 s',
		label: 'le',
		alarm: {
			above: 2,
			says: 'Decisions take long to reach their machine',
			do: 'Look whether the machine is connected, then at waiting bytes, and at the link to it. An agent waits no longer than its deadline.',
		},
	},
	signalbox_hub_ticket_seconds: {
		kind: 'histogram',
		help: 'From what a machine asks to its release, where it was decided at the hub',
		label: 'le',
	},
	signalbox_hub_commands_waiting: { kind: 'gauge', help: 'What the hub wants of machines that have not answered yet' },
	signalbox_hub_commands_refused_total: {
		kind: 'counter',
		help: 'What machines have refused to do, by what it was',
		label: 'kind',
	},
	signalbox_hub_refusals_total: {
		kind: 'counter',
		help: 'The same of machines that are connected here, by the reason; `desk`: it was decided, or over',
		label: 'why',
		alarm: {
			label: 'command/signature',
			above: 0,
			says: 'A machine was sent what the hub that it has joined has not signed',
			do: 'Somebody else writes to this database, or the key of the hub is another than when the machine joined: `signalbox hub doctor --url URL`.',
		},
	},
	signalbox_hub_roster_age_seconds: {
		kind: 'gauge',
		help: 'How old the word is by which a connected machine knows who may decide, the oldest; it is renewed each 12 hours',
		alarm: {
			above: 18 * 3600,
			says: 'A machine takes no roster: a day after the last one nobody decides there',
			do: 'The refusals by reason say why. `roster/unsigned`: it has joined with other root passkeys, and has to join again.',
		},
	},
	signalbox_hub_roster_left_out: {
		kind: 'gauge',
		help: 'Passkeys that are signed into a roster that has no room for them',
		alarm: {
			above: 0,
			says: 'Somebody who is signed into the roster decides at no machine of a team: it has no room',
			do: 'The page People says whose. Take roles or passkeys from those who decide there no more.',
		},
	},
	signalbox_hub_partition_days_ahead: {
		kind: 'gauge',
		help: 'For how many days tables are made already',
		alarm: {
			below: 3,
			says: 'The tables of the next days are not made yet',
			do: 'Look in the log why: the database may lack room or rights. They are made with the next new session.',
		},
	},
	signalbox_hub_archive_debt: {
		kind: 'gauge',
		help: 'Sessions older than their team keeps them that are not packed yet; without an object store they stay',
	},
	signalbox_hub_jobs_failed: {
		kind: 'gauge',
		help: 'Jobs (days ahead, packing, dropping) that failed when they were done last',
		alarm: {
			above: 0,
			says: 'The database grows, or has no room for tomorrow',
			do: '`signalbox hub doctor` says which job failed and why; each is tried again every ten minutes.',
		},
	},
	signalbox_hub_memory_bytes: {
		kind: 'gauge',
		help: 'Memory of this replica',
		alarm: {
			above: 700 * 1024 * 1024,
			says: 'This replica holds much memory',
			do: 'Add a replica; `signalbox hub drain` ends this one in order.',
		},
	},
} as const satisfies Readonly<Record<`signalbox_hub_${string}`, Metric>>;

export type HubMetricName = keyof typeof HUB_METRICS;
type HubReadings = Readonly<Partial<Record<HubMetricName, Meter>>>;

const METRICS: readonly (readonly [HubMetricName, Metric])[] = Object.entries(HUB_METRICS) as [HubMetricName, Metric][];

export function renderHubMetrics(readings: HubReadings): string {
	return METRICS.flatMap(([name, { kind, help, label = '' }]) => {
		const samples = readings[name]?.samples() ?? [];
		if (samples.length === 0) return [];
		const lines = samples.map(
			([suffix, value, number]) => `${name}${suffix}${value === undefined ? '' : `{${label}="${value}"}`} ${number}\n`,
		);
		return [`# HELP ${name} ${help}\n# TYPE ${name} ${kind}\n`, ...lines];
	}).join('');
}

interface RaisedAlarm {
	metric: HubMetricName;
	value: number;
	says: string;
	do: string;
}

export function raisedAlarms(readings: HubReadings): RaisedAlarm[] {
	return METRICS.flatMap(([metric, { alarm }]) => {
		const value = alarm && readings[metric]?.judged(alarm.label);
		if (!alarm || value === undefined || !isBeyond(alarm, value)) return [];
		return [{ metric, value, says: alarm.says, do: alarm.do }];
	});
}

const isBeyond = ({ above = Number.POSITIVE_INFINITY, below = Number.NEGATIVE_INFINITY }: Alarm, value: number) =>
	value > above || value < below;

const UNSET = 'Set SIGNALBOX_METRICS_TOKEN where the hub starts, and send it as a bearer token.';
const WRONG = 'Send SIGNALBOX_METRICS_TOKEN of this hub as a bearer token.';

/** Status and text. Needs the token even on loopback: behind a proxy everybody comes from there. */
export const createMetricsAnswer =
	({ token, read }: { token: string | undefined; read: () => Promise<HubReadings> }) =>
	async (path: '/metrics' | '/health', request: http.IncomingMessage): Promise<[status: number, text: string]> => {
		if (token === undefined) return [404, refusalText(UNSET)];
		if (!hasMetricsToken(request, token)) return [401, refusalText(WRONG)];
		const readings = await read();
		if (path === '/metrics') return [200, renderHubMetrics(readings)];
		const alarms = raisedAlarms(readings);
		return [alarms.length === 0 ? 200 : 503, `${JSON.stringify({ ok: alarms.length === 0, alarms }, null, '\t')}\n`];
	};

export const hasMetricsToken = ({ headers }: http.IncomingMessage, token: string | undefined): boolean =>
	token !== undefined && isSameSecret(headers.authorization ?? '', `Bearer ${token}`);

const refusalText = (error: string) => `${JSON.stringify({ error })}\n`;

const CENSUS_MS = 10_000;

interface ReplicaNow {
	edges: number;
	waitingBytes: number;
	database: boolean;
	hints: Pick<HintState, 'up' | 'unsent' | 'unproven'>;
	standings: readonly ConnectedEdgeStatus[];
}

/** Values that the database does not give now are left out. */
export function createHubReader(
	{ query, now }: Pick<HubCore, 'query' | 'now'>,
	meters: HubMeters,
	replica: () => ReplicaNow,
): () => Promise<HubReadings> {
	let cached: { at: number; census: ReturnType<typeof cachedCensus> } | undefined;

	async function cachedCensus() {
		const edges = { pending: 0, joined: 0, quarantined: 0, revoked: 0 };
		try {
			const [found, jobs, commands, rosterAge, leftOut] = await Promise.all([
				query<{ status: string; count: number }>`SELECT status, count(*) FROM edges GROUP BY status`,
				readJobsState(query, now()),
				query<{ state: string; kind: string; count: number }>`SELECT state, kind, count(*) FROM commands
					WHERE state IN ('waiting', 'refused') GROUP BY state, kind`,
				readRosterAge(query, now()),
				readLeftOut(query),
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
			return;
		}
	}

	function census(): ReturnType<typeof cachedCensus> {
		if (!cached || now() - cached.at >= CENSUS_MS) cached = { at: now(), census: cachedCensus() };
		return cached.census;
	}

	return async () => {
		const counted = await census();
		const { edges, waitingBytes, database, hints, standings } = replica();
		const skews = standings.map(({ skewMs }) => Math.abs(skewMs));
		return {
			...meters,
			signalbox_hub_database_up: gaugeOf(Number(database && counted !== undefined)),
			signalbox_hub_edges: gaugeOf(counted?.edges),
			signalbox_hub_edges_connected: gaugeOf(edges),
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

/** A new hub has no days yet. */
const daysAheadOf = ({ daysAhead, jobs }: JobsState) =>
	daysAhead >= 0 || jobs.some(({ ranAt }) => ranAt !== null) ? daysAhead : undefined;

function worst(values: readonly number[]): { max: number; p99: number } {
	const sorted = [...values].sort((a, b) => a - b);
	return { max: sorted.at(-1) ?? 0, p99: sorted[Math.ceil(0.99 * sorted.length) - 1] ?? 0 };
}
