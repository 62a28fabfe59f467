import { errors } from '#lib/contract/errors.ts';
import { commandRefusals } from '#lib/contract/hub/hub-refusal.ts';
import type { HubStore } from '../../timeline/store/hub-store.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import { databaseCode } from '../database/database.ts';
import { END_CODES } from '../database/end-codes.ts';
import { createCounter, createHistogram } from './meters.ts';

/** Upper bounds (s) of how long a write took. */
const COMMIT_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Of how long a decision took to its machine and back. */
const DECISION_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
/** Of how long a call has waited. */
const TICKET_SECONDS = [1, 2, 5, 10, 30, 60, 120, 300, 600];
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
		signalbox_hub_connections_ended_total: createCounter(now, Object.keys(END_CODES)),
		signalbox_hub_hint_gaps_total: createCounter(now),
		signalbox_hub_catch_ups_total: createCounter(now),
		signalbox_hub_decision_seconds: createHistogram(now, DECISION_SECONDS),
		signalbox_hub_ticket_seconds: createHistogram(now, TICKET_SECONDS),
		signalbox_hub_refusals_total: createCounter(now, [...commandRefusals, 'desk', 'words']),
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

/** What a machine gives as its reason, as the label of a number: its own service and its words are many, and never in one. */
export function refusalLabel(why: string | undefined): string {
	const known = commandRefusals.find((one) => one === why);
	return known ?? (Object.hasOwn(errors, why ?? '') ? 'desk' : 'words');
}

/** The same reads, as those who watch live are given them; what they are given out of the database is counted. */
export const meterReads = <Reads extends Pick<SessionReads, 'eventsSince'>>(
	reads: Reads,
	meters: HubMeters,
): Reads => ({
	...reads,
	eventsSince(...asked) {
		meters.signalbox_hub_catch_ups_total.add();
		return reads.eventsSince(...asked);
	},
});
