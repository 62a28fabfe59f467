import { randomUUID } from 'node:crypto';
import type { SessionCounts } from '#lib/contract/read-model/session-summary.ts';
import type { Machine } from '#lib/contract/read-model/session-view.ts';
import { readHubName } from '#lib/ids/session-name.ts';
import { summarise } from '#lib/session/summarise.ts';
import { LruMap } from '../lru-map.ts';
import type { Feed, FeedBatch } from '../realtime/feed.ts';
import { repeat } from '../repeat.ts';
import type { HubScope, HubStore } from '../store/hub-store.ts';
import type { TailBatch } from '../tail/tail-batch.ts';
import type { Ask } from './database.ts';
import { countSummaries, readHeads, readLines } from './hub-summaries.ts';

/** What is watched is looked for in the database this often: other replicas write there too, and say nothing. */
const LOOK_MS = 2000;
/** Counts go through all lines of the list: for so long the last ones are good enough. */
const COUNTS_MS = 2000;
/** And at least so many times as long as counting took. */
const COUNTS_REST = 10;
const MOST_TOLD = 20_000;

interface Counted {
	counts: Promise<SessionCounts>;
	/** On the steady clock. */
	until: number;
}

export interface HubFeedOptions {
	ask: Ask;
	store: Pick<HubStore, 'summaries'>;
	/** What this replica has written of the edges that are connected to it. */
	onBatch: (listener: (batch: TailBatch) => void) => () => void;
	scope: HubScope;
	/** Milliseconds since the epoch. */
	now: () => number;
	/** Told of what is tried again by itself. */
	failed: (error: unknown) => void;
}

/** What happens to the sessions of a hub: told at once where this replica has written it, else found in the database. */
export function createHubFeed({ ask, store, onBatch, scope, now, failed }: HubFeedOptions): Feed & { stop(): void } {
	const epoch = randomUUID();
	const listeners = new Set<(batch: FeedBatch) => void>();
	const watched = new Set<string>();
	let isListWatched = false;
	const machines = new Map<number, Machine>();
	/** The newest seq of each session's line that was told, by the session's epoch. */
	const told = new LruMap<string, number>(MOST_TOLD);
	const counted = new Map<number, Counted>();
	/** What was told last of the list. Where it went out with older counts, it is told again with new ones. */
	let latest: FeedBatch | undefined;
	let isUncounted = false;
	/** What is told one after the other. */
	let telling = Promise.resolve();

	const tell = (batch: FeedBatch) => {
		if (batch.summary) latest = batch;
		for (const listener of listeners) listener(batch);
	};

	async function machineOf(edge: number): Promise<Machine | undefined> {
		if (!machines.has(edge)) {
			const found = await ask<Machine & { id: number }>(
				'SELECT e.id, e.name, t.name AS team FROM edges e JOIN teams t ON t.id = e.team WHERE e.id = $1',
				[edge],
			);
			for (const { id, name, team } of found) machines.set(id, { name, team });
		}
		return machines.get(edge);
	}

	async function tellWritten({ sessionId, epoch: of, events, view }: TailBatch): Promise<void> {
		if (!isListWatched && !watched.has(sessionId)) return;
		const machine = await machineOf(readHubName(sessionId)?.edge ?? 0);
		told.set(of, view.seq);
		tell({
			sessionId,
			epoch: of,
			head: view.seq,
			events: events.map((event) => ({ ...event, sessionId })),
			summary: (at) => ({ ...summarise(view, at), sessionId, ...(machine && { machine }) }),
		});
	}

	async function lookFor(names: readonly string[] | null): Promise<void> {
		const heads = await readHeads(ask, scope, names);
		const later = heads.filter(({ epoch: of, seq }) => seq > (told.get(of) ?? 0));
		const newNames = later.map(({ name }) => name);
		const lines = new Map(
			(later.length > 0 ? await readLines(ask, scope, newNames) : []).map((line) => [line.sessionId, line]),
		);
		for (const { name, epoch: of, head } of heads) {
			const line = lines.get(name);
			if (line) told.set(of, line.seq);
			if (line || watched.has(name))
				tell({ sessionId: name, epoch: of, head, events: [], ...(line && { summary: () => line }) });
		}
	}

	async function look(): Promise<void> {
		if (watched.size > 0) await lookFor([...watched]);
		if (!isListWatched) return;
		await lookFor(null);
		const isOld = [...counted.values()].some(({ until }) => until <= performance.now());
		if (!isUncounted || !isOld || !latest) return;
		isUncounted = false;
		tell(latest);
	}

	function count(zone: number): Promise<SessionCounts> {
		const begun = performance.now();
		const counts = countSummaries(ask, scope, { now: now(), zone });
		const one: Counted = { counts, until: Number.POSITIVE_INFINITY };
		counted.set(zone, one);
		counts.then(
			() => {
				const tookMs = performance.now() - begun;
				one.until = performance.now() + Math.max(COUNTS_MS, COUNTS_REST * tookMs);
			},
			() => counted.delete(zone),
		);
		return counts;
	}

	const stopListening = onBatch((batch) => {
		telling = telling.then(() => tellWritten(batch)).catch(failed);
	});
	const stopLooking = repeat(LOOK_MS, look, failed);

	return {
		onBatch(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		watch(topic) {
			if (topic === 'sessions') {
				isListWatched = true;
				return () => {
					isListWatched = false;
				};
			}
			const name = topic.slice('session:'.length);
			watched.add(name);
			return () => void watched.delete(name);
		},
		summaries: ({ first: _, ...wish }) => store.summaries(scope, wish),
		counts(zone) {
			const known = counted.get(zone);
			if (!known || known.until <= performance.now()) return count(zone);
			isUncounted = true;
			return known.counts;
		},
		listEpoch: () => epoch,
		stop() {
			stopListening();
			stopLooking();
		},
	};
}
