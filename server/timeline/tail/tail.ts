import { join } from 'node:path';
import type { SessionView } from '#lib/contract/sessions/read-model/session-view.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import type { Log } from '../../process/log.ts';
import type { TailStore } from '../store/index-store.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { createDurability } from './durability.ts';
import { createSessionReader, type ReadChunk, type TailBatch } from './session-reader.ts';
import { createSessionsWatch } from './sessions-watch.ts';
import { proofIn } from './timeline-file.ts';

/** How long the tail works before it lets the event loop turn. */
const TURN_MS = 10;

/** Reads all timelines into the index and reports new events. The only writer of the index. */
export interface Tail {
	/** Resolves when every session folder has been seen; their content follows in batches. */
	start(): Promise<void>;
	/** This process appended lines (default one); costs nothing, the read follows in this turn or soon. */
	noteAppended(sessionId: string, lines?: number): void;
	/** How long lines wait to be read, in ms: 0 unless they come densely. */
	pauseMs(): number;
	viewOf(sessionId: string): SessionView | undefined;
	views(): SessionView[];
	/** Returns the function that ends the subscription. */
	onBatch(listener: BatchListener, when?: BatchMoment): () => void;
	/** Resolves when everything now on disk is indexed. */
	whenSettled(): Promise<void>;
	/** The index was rebuilt: reads all timelines into it, and resolves when done. */
	restart(): Promise<void>;
	/** Progress of reading all timelines, in bytes; null when done. */
	building(): { read: number; total: number } | null;
	stop(): Promise<void>;
}

type BatchListener = (batch: TailBatch) => void;

/**
 * When a listener receives a batch: once the index has it, or already once it is read. If the index then refuses it, the same
 * events come again with the same numbers. A session that is new to the index is announced once it is stored.
 */
export type BatchMoment = 'read' | 'stored';

export interface TailOptions {
	/** Absolute folder of all state; timelines are in `sessions/<id>/timeline.jsonl` below it. */
	home: string;
	index: TailStore;
	/** Has the rows behind approval and grant lines. */
	journal: Pick<JournalStore, 'find'>;
	log: Log;
}

/** Builds the tail; nothing is read before `start` or `poke`. */
export function createTail({ home, index, journal, log }: TailOptions): Tail {
	const sessionsFolder = join(home, 'sessions');
	const warned = new Set<string>();
	const warnOnce = (sessionId: string, message: string) => {
		if (warned.has(sessionId)) return;
		warned.add(sessionId);
		log.warn(message, { session: sessionId });
	};
	const reader = createSessionReader({
		sessionsFolder,
		index,
		proofOf: proofIn(journal),
		refused: (id) => warnOnce(id, 'tail: timeline.jsonl is a link or no plain file; it is not read'),
	});
	const durability = createDurability(sessionsFolder, log);
	const listeners = { read: new Set<BatchListener>(), stored: new Set<BatchListener>() };
	const queue = new Set<string>();
	const failing = new Set<string>();
	const whenIdle: (() => void)[] = [];
	let scheduled = false;
	let stopped = false;
	let building = false;
	const readDelay = createReadDelay(() => performance.now());

	function enqueue(sessionId: string) {
		if (stopped) return;
		queue.add(sessionId);
		if (scheduled) return;
		scheduled = true;
		const pauseMs = readDelay.pauseMs();
		if (pauseMs > 0) setTimeout(drain, pauseMs);
		else setImmediate(drain);
	}

	function drain() {
		scheduled = false;
		if (stopped) return;
		readDelay.startRead();
		const until = performance.now() + TURN_MS;
		const again: string[] = [];
		const chunks: ReadChunk[] = [];
		for (const sessionId of queue) {
			queue.delete(sessionId);
			const { chunk, more } = readOne(sessionId);
			if (chunk) chunks.push(chunk);
			if (more) again.push(sessionId);
			if (performance.now() > until) break;
		}
		save(chunks);
		for (const sessionId of [...queue, ...again]) enqueue(sessionId);
		if (queue.size > 0) return;
		for (const resolve of whenIdle.splice(0)) resolve();
	}

	function readOne(sessionId: string): ReturnType<typeof reader.read> {
		try {
			const found = reader.read(sessionId);
			if (!found.chunk) failing.delete(sessionId);
			return found;
		} catch (error) {
			logFailure(sessionId, error);
			return { more: false };
		}
	}

	/** One transaction for the sessions of a turn; if it fails, one for each, so that none delays the others. */
	function save(chunks: readonly ReadChunk[]) {
		if (chunks.length === 0) return;
		for (const chunk of chunks) publishRead(chunk);
		try {
			index.write(...chunks.map(({ batch }) => batch));
		} catch (error) {
			if (chunks.length > 1) for (const chunk of chunks) save([chunk]);
			else for (const { batch } of chunks) logFailure(batch.sessionId, error);
			return;
		}
		for (const chunk of chunks) {
			failing.delete(chunk.batch.sessionId);
			reader.noteIndexed(chunk);
			publishRead(chunk);
			publishStored(chunk);
		}
	}

	/** Live readers need not wait for the transaction. */
	function publishRead(chunk: ReadChunk) {
		const batch = chunk.isPublished ? undefined : reader.batchOf(chunk);
		if (!batch) return;
		chunk.isPublished = true;
		publish(batch, 'read');
	}

	function publishStored(chunk: ReadChunk) {
		const batch = reader.batchOf(chunk);
		if (!batch) return;
		durability.note(batch.sessionId);
		publish(batch, 'stored');
	}

	function logFailure(sessionId: string, error: unknown) {
		reader.drop(sessionId);
		if (!failing.has(sessionId)) {
			log.error('tail: a session could not be read; it is tried again every second', error, { session: sessionId });
		}
		failing.add(sessionId);
		watch.recheck(sessionId);
	}

	function publish(batch: TailBatch, when: BatchMoment) {
		for (const listener of listeners[when]) {
			try {
				listener(batch);
			} catch (error) {
				log.error('tail: a listener failed', error, { session: batch.sessionId });
			}
		}
	}

	const watch = createSessionsWatch({
		sessionsFolder,
		cursors: reader.cursors,
		changed: enqueue,
		gone: reader.forget,
		warnOnce,
		log,
	});

	async function whenSettled() {
		await watch.check();
		if (queue.size > 0 && !stopped) await new Promise<void>((resolve) => whenIdle.push(resolve));
	}

	async function build() {
		building = true;
		await whenSettled();
		building = false;
	}

	return {
		async start() {
			building = reader.cursors.size === 0;
			await watch.start();
			durability.start();
			if (building) void build();
		},
		noteAppended(sessionId, lines = 1) {
			if (!isSafeId(sessionId)) return;
			readDelay.addLines(lines);
			watch.appended(sessionId);
			enqueue(sessionId);
		},
		pauseMs: readDelay.pauseMs,
		viewOf: reader.view,
		views: () => index.views(),
		onBatch(listener, when = 'stored') {
			listeners[when].add(listener);
			return () => listeners[when].delete(listener);
		},
		whenSettled,
		restart() {
			reader.restart();
			failing.clear();
			watch.recheckAll();
			return build();
		},
		building() {
			if (!building) return null;
			const read = [...reader.cursors.values()].reduce((sum, { offset }) => sum + offset, 0);
			return { read, total: Math.max(read, watch.bytes()) };
		},
		async stop() {
			stopped = true;
			await watch.stop();
			await durability.stop();
			reader.close();
			for (const resolve of whenIdle.splice(0)) resolve();
		},
	};
}

/**
 * How long reading waits if more lines arrive than so many a millisecond, densest first: the fixed cost of a turn and its
 * transaction is then shared by more lines. Working agents write fewer than 500 a second. Measured by time, so that a busy
 * machine saves it too.
 */
const PAUSES = [
	{ perMs: 2, pauseMs: 100 },
	{ perMs: 0.5, pauseMs: 20 },
] as const;
/** Too few lines to measure the rate. */
const FEW = 8;

/** How long the tail waits with lines of this process before it reads them. */
interface ReadDelay {
	addLines(lines: number): void;
	/** The tail begins to read: later lines count for the next time. */
	startRead(): void;
	/** In milliseconds; 0 is the same turn of the event loop. */
	pauseMs(): number;
}

/**
 * Lines are read at once as long as they come at the speed of agents. Only after a turn that found dense lines does the next one
 * wait; the first that finds fewer ends that. `now` is a monotonic clock in milliseconds.
 */
export function createReadDelay(now: () => number): ReadDelay {
	let added = 0;
	let readAt = now();
	let pauseMs = 0;
	return {
		addLines(lines) {
			added += lines;
		},
		startRead() {
			const at = now();
			const dense = added > FEW ? PAUSES.find(({ perMs }) => added > (at - readAt) * perMs) : undefined;
			pauseMs = dense?.pauseMs ?? 0;
			added = 0;
			readAt = at;
		},
		pauseMs: () => pauseMs,
	};
}
