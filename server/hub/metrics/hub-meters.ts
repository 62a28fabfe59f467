import { errors } from '#lib/contract/errors.ts';
import { commandRefusals } from '#lib/contract/hub/hub-commands.ts';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { databaseCode } from '../database/database.ts';
import type { HubStore } from '../timelines/postgres-store.ts';

const COMMIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DECISION_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const TICKET_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600];
const DEADLOCK = '40P01';

export function createHubMeters(now: () => number) {
	return {
		signalbox_hub_commit_seconds: createHistogram(now, COMMIT_SECONDS),
		signalbox_hub_events_total: createCounter(now),
		signalbox_hub_writes_failed_total: createCounter(now),
		signalbox_hub_deadlocks_total: createCounter(now),
		signalbox_hub_cas_lost_total: createCounter(now),
		signalbox_hub_ranges_quarantined_total: createCounter(now),
		signalbox_hub_connections_ended_total: createCounter(now, Object.keys(END_CODES)),
		signalbox_hub_hint_gaps_total: createCounter(now),
		signalbox_hub_catch_ups_total: createCounter(now),
		signalbox_hub_decision_seconds: createHistogram(now, DECISION_SECONDS),
		signalbox_hub_ticket_seconds: createHistogram(now, TICKET_SECONDS),
		signalbox_hub_refusals_total: createCounter(now, [...commandRefusals, 'desk', 'words']),
	};
}

export type HubMeters = ReturnType<typeof createHubMeters>;

export function meterStore(store: HubStore, meters: HubMeters): HubStore {
	return {
		...store,
		async append(ranges) {
			const begun = performance.now();
			try {
				const results = await store.append(ranges);
				meters.signalbox_hub_commit_seconds.add((performance.now() - begun) / 1000);
				for (const [index, { kind }] of results.entries()) {
					if (kind === 'committed') meters.signalbox_hub_events_total.add(ranges[index]?.events.length);
					if (kind === 'lost-race') meters.signalbox_hub_cas_lost_total.add();
				}
				return results;
			} catch (error) {
				meters.signalbox_hub_writes_failed_total.add();
				if (databaseCode(error) === DEADLOCK) meters.signalbox_hub_deadlocks_total.add();
				throw error;
			}
		},
	};
}

/** Reasons as labels: free words and codes of the approval service are counted together. */
export function refusalLabel(why: string | undefined): string {
	const known = commandRefusals.find((one) => one === why);
	return known ?? (Object.hasOwn(errors, why ?? '') ? 'desk' : 'words');
}

export const meterReads = <Reads extends Pick<SessionReads, 'eventsSince'>>(
	reads: Reads,
	meters: HubMeters,
): Reads => ({
	...reads,
	eventsSince(...request) {
		meters.signalbox_hub_catch_ups_total.add();
		return reads.eventsSince(...request);
	},
});

export const RECENT_MINUTES = 5;
const MINUTE_MS = 60_000;

type Sample = readonly [suffix: '' | '_bucket' | '_sum' | '_count', label: string | undefined, value: number];

export interface Meter {
	samples(): Sample[];
	/** A gauge's value, a counter's recent rise, a histogram's recent 99th percentile. */
	judged(label?: string): number | undefined;
}

export function gaugeOf(values: number | Readonly<Record<string, number>> | undefined): Meter {
	if (typeof values === 'number') return { samples: () => [['', undefined, values]], judged: () => values };
	const samples = Object.entries(values ?? {}).map(([label, value]): Sample => ['', label, value]);
	return { samples: () => samples, judged: (label) => values?.[label ?? ''] };
}

interface Counter extends Meter {
	add(count?: number, label?: string): void;
}

/** Every label starts at zero, so that its first rise is visible. */
export function createCounter(now: () => number, labels: readonly string[] = ['']): Counter {
	const totals = new Map(labels.map((label) => [label, 0]));
	const recent = createRecent(now);
	return {
		add(count = 1, label = '') {
			totals.set(label, (totals.get(label) ?? 0) + count);
			recent.add(label, count);
		},
		samples: () => [...totals].map(([label, value]): Sample => ['', label === '' ? undefined : label, value]),
		judged: (label) => sum(label === undefined ? [...recent.counts().values()] : [recent.counts().get(label) ?? 0]),
	};
}

interface Histogram extends Meter {
	add(seconds: number): void;
}

export function createHistogram(now: () => number, bounds: readonly number[]): Histogram {
	const ends = [...bounds.map(String), '+Inf'];
	const totals = new Map(ends.map((end) => [end, 0]));
	const recent = createRecent(now);
	let seconds = 0;
	const upTo = (counts: ReadonlyMap<string, number>, end: number) =>
		sum(ends.slice(0, end + 1).map((name) => counts.get(name) ?? 0));
	return {
		add(took) {
			const at = bounds.findIndex((bound) => took <= bound);
			const end = at === -1 ? '+Inf' : String(bounds[at]);
			totals.set(end, (totals.get(end) ?? 0) + 1);
			recent.add(end, 1);
			seconds += took;
		},
		samples: () => [
			...ends.map((end, index): Sample => ['_bucket', end, upTo(totals, index)]),
			['_sum', undefined, seconds],
			['_count', undefined, sum([...totals.values()])],
		],
		judged() {
			const counts = recent.counts();
			const wanted = 0.99 * sum([...counts.values()]);
			if (wanted === 0) return;
			return bounds[ends.findIndex((_, index) => upTo(counts, index) >= wanted)] ?? bounds.at(-1);
		},
	};
}

function createRecent(now: () => number) {
	const minutes = new Map<number, Map<string, number>>();
	const minuteNow = () => {
		const minute = Math.floor(now() / MINUTE_MS);
		for (const old of minutes.keys()) if (old <= minute - RECENT_MINUTES || old > minute) minutes.delete(old);
		return minute;
	};
	return {
		add(label: string, count: number) {
			const minute = minuteNow();
			const counts = minutes.get(minute) ?? new Map<string, number>();
			counts.set(label, (counts.get(label) ?? 0) + count);
			minutes.set(minute, counts);
		},
		counts(): Map<string, number> {
			minuteNow();
			const all = new Map<string, number>();
			for (const counts of minutes.values())
				for (const [label, count] of counts) all.set(label, (all.get(label) ?? 0) + count);
			return all;
		},
	};
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** `silent` (closed as `bad`) never sent a hello; `crowded` (closed as `later`) came with too many others. */
export type EndReason = keyof typeof CLOSE | 'silent' | 'crowded';

export const END_CODES: Readonly<Record<EndReason, number>> = { ...CLOSE, silent: CLOSE.bad, crowded: CLOSE.later };
