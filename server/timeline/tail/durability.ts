import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Log } from '../../process/log.ts';
import { READ_FLAGS, timelinePath } from './timeline-file.ts';

/** Time between two syncs, well below the second that may be lost, since a sync takes time. */
const SYNC_MS = 350;
/** Timelines that are synced in parallel: a slow disk answers four as fast as one. */
const AT_ONCE = 4;

/**
 * Syncs timelines with new lines to the disk a few times a second, apart from requests: a power cut loses at most the last second
 * of telemetry (DESIGN 1). A new timeline's folders are synced with it, since without its name in them the synced file would be
 * lost.
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
			if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
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
