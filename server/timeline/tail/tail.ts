import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import type { Log } from '../../process/log.ts';
import type { TailStore } from '../store/index-store.ts';
import type { JournalStore } from '../store/journal-store.ts';
import { createSessionReader, type ReadChunk, type TailBatch } from './session-reader.ts';
import { createSessionsWatch } from './sessions-watch.ts';
import { proofIn, READ_FLAGS, timelinePath } from './timeline-file.ts';

/** How long the tail works before it lets the event loop turn. */
const TURN_MS = 10;

/** So long after this process appended to a timeline, the kernel's notices of it are not needed. */
const OWN_MS = 60_000;

type BatchListener = (batch: TailBatch) => void;

/**
 * When a listener gets a batch: once the index has it, or once it is read; if the index then refuses it, the same numbers come
 * again. A session new to the index is announced once stored.
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

/** Reads all timelines into the index and reports what is new; the only writer of the index. Nothing is read before `start` or `noteAppended`. */
export function createTail({ home, index, journal, log }: TailOptions) {
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
	/** When this process last appended to a timeline, in ms of a steady clock. */
	const ownAt = new Map<string, number>();
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

	function isOwn(sessionId: string): boolean {
		const at = ownAt.get(sessionId);
		if (at === undefined) return false;
		if (performance.now() - at < OWN_MS) return true;
		ownAt.delete(sessionId);
		return false;
	}

	const watch = createSessionsWatch({
		sessionsFolder,
		isOwn,
		cursors: reader.cursors,
		changed: enqueue,
		gone: reader.forget,
		warnOnce,
		log,
	});

	/** Resolves when everything now on disk is indexed. */
	async function whenRead() {
		await watch.check();
		if (queue.size > 0 && !stopped) await new Promise<void>((resolve) => whenIdle.push(resolve));
	}

	async function build() {
		building = true;
		await whenRead();
		building = false;
	}

	return {
		/** Resolves when every session folder has been seen; their content follows in batches. */
		async start() {
			building = reader.cursors.size === 0;
			await watch.start();
			durability.start();
			if (building) void build();
		},
		/** This process appended lines; costs nothing, the read follows in this turn or soon. */
		noteAppended(sessionId: string, lines = 1) {
			if (!isSafeId(sessionId)) return;
			readDelay.addLines(lines);
			if (!isOwn(sessionId)) watch.unwatch(sessionId);
			ownAt.set(sessionId, performance.now());
			enqueue(sessionId);
		},
		pauseMs: readDelay.pauseMs,
		viewOf: reader.view,
		views: () => index.views(),
		/** Returns the function that ends the subscription. */
		onBatch(listener: BatchListener, when: BatchMoment = 'stored'): () => void {
			listeners[when].add(listener);
			return () => listeners[when].delete(listener);
		},
		whenRead,
		/** The index was rebuilt: reads all timelines into it, and resolves when done. */
		restart() {
			reader.restart();
			failing.clear();
			watch.recheckAll();
			return build();
		},
		/** Progress of reading all timelines, in bytes; null when done. */
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

export type Tail = ReturnType<typeof createTail>;

/**
 * How long reading waits, by lines per ms, densest first: more lines then share the fixed cost of a turn. Working agents write
 * fewer than 500 a second.
 */
const PAUSES = [
	{ perMs: 2, pauseMs: 100 },
	{ perMs: 0.5, pauseMs: 20 },
] as const;
/** Too few lines to measure the rate. */
const FEW = 8;

/**
 * How long the tail waits before it reads this process's lines: not at all while they come as agents write. A turn with dense
 * lines makes the next one wait, until one finds fewer. `now` is a steady clock in ms.
 */
export function createReadDelay(now: () => number) {
	let added = 0;
	let readAt = now();
	let pauseMs = 0;
	return {
		addLines(lines: number) {
			added += lines;
		},
		/** The tail begins to read: later lines count for the next time. */
		startRead() {
			const at = now();
			const dense = added > FEW ? PAUSES.find(({ perMs }) => added > (at - readAt) * perMs) : undefined;
			pauseMs = dense?.pauseMs ?? 0;
			added = 0;
			readAt = at;
		},
		/** In milliseconds: 0, in the same turn of the event loop, unless lines come densely. */
		pauseMs: () => pauseMs,
	};
}

/** Time between two syncs, well below the second that may be lost, since a sync takes time. */
const SYNC_MS = 350;
/** Timelines that are synced in parallel: a slow disk answers four as fast as one. */
const AT_ONCE = 4;

/**
 * Syncs timelines to the disk a few times a second: a power cut loses at most the last second. A new timeline's folders are
 * synced with it, or its name would be lost.
 */
export function createDurability(sessionsFolder: string, log: Log) {
	let unsynced = new Set<string>();
	/** Sessions whose folders durably contain the timeline's name. */
	const named = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> = Promise.resolve();
	let started = false;

	async function syncOne(sessionId: string) {
		const path = timelinePath(sessionsFolder, sessionId);
		await sync(path, READ_FLAGS);
		if (named.has(sessionId)) return;
		await sync(dirname(path));
		await sync(sessionsFolder);
		named.add(sessionId);
	}

	async function syncOrLog(sessionId: string) {
		try {
			await syncOne(sessionId);
		} catch (error) {
			named.delete(sessionId);
			if (systemErrorCode(error) === 'ENOENT') return;
			log.error('tail: a timeline could not be synced to disk; its last second may be lost in a power cut', error, {
				session: sessionId,
			});
		}
	}

	async function syncAll() {
		const batch = unsynced.values();
		unsynced = new Set();
		const work = async () => {
			for (const sessionId of batch) await syncOrLog(sessionId);
		};
		await Promise.all(Array.from({ length: AT_ONCE }, work));
	}

	function syncLater() {
		if (!started || timer || unsynced.size === 0) return;
		timer = setTimeout(() => {
			running = syncAll().finally(() => {
				timer = undefined;
				syncLater();
			});
		}, SYNC_MS).unref();
	}

	return {
		note(sessionId: string) {
			unsynced.add(sessionId);
			syncLater();
		},
		start() {
			started = true;
			syncLater();
		},
		async stop() {
			started = false;
			clearTimeout(timer);
			await running;
			await syncAll();
		},
	};
}

async function sync(path: string, flags = 0) {
	const file = await open(path, flags);
	await file.datasync().finally(() => file.close());
}
