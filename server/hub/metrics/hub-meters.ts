import { CLOSE } from '#lib/contract/hub-wire.ts';
import type { HubStore } from '../../store/hub-store.ts';
import { databaseCode } from '../database.ts';
import { createCounter, createHistogram } from './meters.ts';

/** Upper bounds (s) of how long a write took. */
const COMMIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const DEADLOCK = '40P01';

/** What a replica counts from its start on. `now` is in ms. */
export function createHubMeters(now: () => number) {
	return {
		signalbox_hub_commit_seconds: createHistogram(now, COMMIT_SECONDS),
		signalbox_hub_events_total: createCounter(now),
		signalbox_hub_writes_failed_total: createCounter(now),
		signalbox_hub_deadlocks_total: createCounter(now),
		signalbox_hub_cas_lost_total: createCounter(now),
		signalbox_hub_ranges_quarantined_total: createCounter(now),
		signalbox_hub_connections_ended_total: createCounter(now, [...Object.keys(CLOSE), 'silent', 'crowded']),
	};
}

export type HubMeters = ReturnType<typeof createHubMeters>;

/** The same store; what becomes of its writes is counted. */
export function meterStore(store: HubStore, meters: HubMeters): HubStore {
	return {
		...store,
		async append(ranges) {
			const begun = performance.now();
			try {
				const results = await store.append(ranges);
				meters.signalbox_hub_commit_seconds.add((performance.now() - begun) / 1000);
				for (const [at, { kind }] of results.entries()) {
					if (kind === 'committed') meters.signalbox_hub_events_total.add(ranges[at]?.events.length);
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
