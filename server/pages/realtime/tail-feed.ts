import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { createTally, firstPageOfSessions, pageOfSessions, type SessionTally } from '#lib/session/session-page.ts';
import { summarise } from '#lib/session/summarise.ts';
import type { Feed } from '../../timeline/feed.ts';
import type { TailStore } from '../../timeline/store/index-store.ts';
import type { Tail } from '../../timeline/tail/tail.ts';

/** Counts unused for so long are dropped. */
const IDLE_MS = 60_000;

/** The feed of a machine's own server. */
export function createTailFeed(options: {
	tail: Pick<Tail, 'onBatch' | 'views'>;
	index: Pick<TailStore, 'epoch'>;
	now: () => number;
}): Feed {
	const { tail, index, now } = options;
	const listed = () => tail.views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
	/** By zone: the days of readers differ. */
	const tallies = new Map<number, SessionTally>();
	let talliesOf = index.epoch;
	let askedAt = Number.NEGATIVE_INFINITY;
	const dropOld = () => {
		if (talliesOf === index.epoch && performance.now() - askedAt < IDLE_MS) return;
		talliesOf = index.epoch;
		tallies.clear();
	};

	return {
		onBatch: (listener, when = 'stored') =>
			tail.onBatch(({ sessionId, epoch, events, view }) => {
				if (when === 'stored') {
					dropOld();
					if (sessionId !== HOME_SESSION) for (const tally of tallies.values()) tally.setCounted(view);
				}
				listener({ sessionId, epoch, head: view.seq, events, summary: (at) => summarise(view, at) });
			}, when),
		watch: () => () => undefined,
		summaries: async ({ first, ...request }) => (first ? firstPageOfSessions : pageOfSessions)(listed(), request),
		async counts(zone) {
			dropOld();
			askedAt = performance.now();
			const tally = tallies.get(zone) ?? createTally(listed, now, zone);
			tallies.set(zone, tally);
			return tally.counts();
		},
		listEpoch: () => index.epoch,
	};
}
