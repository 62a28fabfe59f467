import { randomUUID } from 'node:crypto';
import type { SessionCounts } from '#lib/contract/sessions/read-model/session-summary.ts';
import type { Machine } from '#lib/contract/sessions/read-model/session-view.ts';
import type { HubReach } from '#lib/hub/may.ts';
import { readHubName } from '#lib/ids/session-name.ts';
import { summarise } from '#lib/session/summarise.ts';
import { LruMap } from '../../process/lru-map.ts';
import { repeat } from '../../process/repeat.ts';
import type { Feed, FeedBatch } from '../../timeline/feed.ts';
import type { TailBatch } from '../../timeline/tail/session-reader.ts';
import type { Query } from '../database/database.ts';
import type { Hints } from '../hints/hints.ts';
import { readHeadHint, type SessionHead } from '../hints/hints.ts';
import { countSummaries, readHeads, readLines } from '../timelines/hub-summaries.ts';
import type { HubStore } from '../timelines/postgres-store.ts';
import { readMachine } from '../timelines/session-row.ts';

/** Other replicas write, too, and hints may be lost. */
const POLL_MS = 2000;
const GATHER_MS = 20;
const LIST_MS = 500;
/** Counting reads the whole list. */
const COUNTS_MS = 2000;
const COUNTS_REST = 10;
const MAX_REMEMBERED = 20_000;

interface Counted {
	counts: Promise<SessionCounts>;
	until: number;
}

export interface HubFeedOptions {
	query: Query;
	store: Pick<HubStore, 'summaries'>;
	onBatch: (listener: (batch: TailBatch) => void) => () => void;
	hints: Pick<Hints, 'listen'>;
	scope: HubReach;
	now: () => number;
	gap?: () => void;
	failed: (error: unknown) => void;
}

/** Batches of this replica are published at once; others are read from the database, on a hint and every two seconds. */
export function createHubFeed({
	query,
	store,
	onBatch,
	hints,
	scope,
	now,
	gap = () => undefined,
	failed,
}: HubFeedOptions): Feed & { stop(): void } {
	const epoch = randomUUID();
	const listeners = new Set<(batch: FeedBatch) => void>();
	const watched = new Map<string, SessionHead | undefined>();
	let isListWatched = false;
	const machines = new Map<number, Machine>();
	const sentHeads = new LruMap<string, SessionHead>(MAX_REMEMBERED);
	const counted = new Map<number, Counted>();
	/** If it went out with old counts, it is sent again with new ones. */
	let latest: FeedBatch | undefined;
	let isUncounted = false;
	let publishing = Promise.resolve();
	/** For other sessions the database decides whether they may be shown. */
	const inScope = new LruMap<string, true>(MAX_REMEMBERED);
	const isAll = scope.teams === 'all' && !scope.projects;
	let hinted = new Set<string>();
	let gathering: NodeJS.Timeout | undefined;
	let gatherTimer: NodeJS.Timeout | undefined;
	const isNew = ({ name, epoch: of, seq }: SessionHead) => {
		const before = sentHeads.get(name);
		return before?.epoch !== of || seq > before.seq;
	};

	const isPast = (name: string, { epoch: of, head }: Pick<FeedBatch, 'epoch' | 'head'>) => {
		const before = watched.get(name);
		return watched.has(name) && (before?.epoch !== of || head > before.seq);
	};

	const enqueue = (work: () => Promise<void> | void) => {
		publishing = publishing.then(work).catch(failed);
	};

	function checkSoon(names: readonly string[]) {
		for (const name of names) hinted.add(name);
		if (names.length > 0)
			gathering ??= setTimeout(() => {
				gathering = undefined;
				const due = [...hinted];
				hinted = new Set();
				publishStored(due).catch(failed);
			}, GATHER_MS).unref();
	}

	const publish = (batch: FeedBatch) => {
		const { sessionId: name, epoch: of, head: seq } = batch;
		if (isPast(name, batch)) watched.set(name, { name, epoch: of, seq });
		if (batch.summary) latest = batch;
		for (const listener of listeners) listener(batch);
	};

	async function machineOf(edge: number): Promise<Machine | undefined> {
		const machine = machines.get(edge) ?? (await readMachine(query, edge));
		if (machine) machines.set(edge, machine);
		return machine;
	}

	async function publishWritten({ sessionId, epoch: of, events, view }: TailBatch): Promise<void> {
		if (!isListWatched && !watched.has(sessionId)) return;
		if (!isAll && !inScope.get(sessionId)) return checkSoon([sessionId]);
		const machine = await machineOf(readHubName(sessionId)?.edge ?? 0);
		sentHeads.set(sessionId, { name: sessionId, epoch: of, seq: view.seq });
		publish({
			sessionId,
			epoch: of,
			head: view.seq,
			events: events.map((event) => ({ ...event, sessionId })),
			summary: (at) => ({ ...summarise(view, at), sessionId, ...(machine && { machine }) }),
		});
	}

	function countGaps(heads: Awaited<ReturnType<typeof readHeads>>) {
		for (const { name, ...found } of heads) if (watched.get(name) && isPast(name, found)) gap();
	}

	async function publishStored(names: readonly string[] | null, by: 'hint' | 'round' = 'hint'): Promise<void> {
		const heads = await readHeads(query, scope, names);
		if (by === 'round') countGaps(heads);
		const later = heads.filter(isNew);
		const newNames = later.map(({ name }) => name);
		const lines = new Map(
			(later.length > 0 ? await readLines(query, scope, newNames) : []).map((line) => [line.sessionId, line]),
		);
		for (const { name, epoch: of, head } of heads) {
			inScope.set(name, true);
			const found = lines.get(name);
			const at = found && { name, epoch: of, seq: found.seq };
			// This replica may have published a newer one during the query.
			const line = at && isNew(at) ? found : undefined;
			if (line && at) sentHeads.set(name, at);
			if (line || watched.has(name))
				publish({ sessionId: name, epoch: of, head, events: [], ...(line && { summary: () => line }) });
		}
	}

	function handleSessionHint(name: string, body: string | undefined) {
		const [hint] = readHeadHint(body) ?? [];
		if (hint?.name !== name) return checkSoon([name]);
		enqueue(() => {
			if (isNew(hint)) publish({ sessionId: name, epoch: hint.epoch, head: hint.seq, events: [] });
		});
	}

	function handleListHint(body: string | undefined) {
		const hints = readHeadHint(body);
		if (hints) enqueue(() => checkSoon(hints.filter(isNew).map(({ name }) => name)));
		else
			gatherTimer ??= setTimeout(() => {
				gatherTimer = undefined;
				readChanges().catch(failed);
			}, LIST_MS).unref();
	}

	async function readChanges(): Promise<void> {
		// An owner may have changed the level.
		machines.clear();
		if (watched.size > 0) await publishStored([...watched.keys()], 'round');
		if (!isListWatched) return;
		await publishStored(null);
		const isOld = [...counted.values()].some(({ until }) => until <= performance.now());
		if (!isUncounted || !isOld || !latest) return;
		isUncounted = false;
		publish(latest);
	}

	function count(zone: number): Promise<SessionCounts> {
		const begun = performance.now();
		const counts = countSummaries(query, scope, { now: now(), zone });
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

	const stopListening = onBatch((batch) => enqueue(() => publishWritten(batch)));
	const stopPolling = repeat(POLL_MS, readChanges, failed);

	return {
		onBatch(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		watch(topic) {
			if (topic === 'sessions') {
				isListWatched = true;
				const stopHints = hints.listen('list', handleListHint);
				return () => {
					isListWatched = false;
					stopHints();
				};
			}
			const name = topic.slice('session:'.length);
			watched.set(name, undefined);
			const stopHints = hints.listen(`s:${name}`, (body) => handleSessionHint(name, body));
			return () => {
				watched.delete(name);
				stopHints();
			};
		},
		summaries: ({ first: _, ...request }) => store.summaries(scope, request),
		counts(zone) {
			const known = counted.get(zone);
			if (!known || known.until <= performance.now()) return count(zone);
			isUncounted = true;
			return known.counts;
		},
		listEpoch: () => epoch,
		stop() {
			stopListening();
			stopPolling();
			clearTimeout(gathering);
			clearTimeout(gatherTimer);
		},
	};
}
