import { open } from 'node:fs/promises';
import type { Log } from '../log.ts';
import { READ_FLAGS, timelinePath } from './timeline-file.ts';

const SYNC_MS = 1000;

/**
 * Syncs timelines with new lines to the disk every second, away from the request path: at most the last second of
 * telemetry is lost when the power fails (DESIGN 1).
 */
export function createDurability(sessionsFolder: string, log: Log) {
	let unsynced = new Set<string>();
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> = Promise.resolve();

	async function syncAll() {
		const batch = unsynced;
		unsynced = new Set();
		for (const sessionId of batch) {
			try {
				const file = await open(timelinePath(sessionsFolder, sessionId), READ_FLAGS);
				await file.datasync().finally(() => file.close());
			} catch (error) {
				if (error instanceof Error && 'code' in error && error.code === 'ENOENT') continue;
				log.error('tail: a timeline could not be synced to disk; its last second may be lost in a power cut', error, {
					session: sessionId,
				});
			}
		}
	}

	function syncLater() {
		timer = setTimeout(() => {
			running = syncAll();
			void running.then(syncLater);
		}, SYNC_MS).unref();
	}

	return {
		note: (sessionId: string) => void unsynced.add(sessionId),
		start: syncLater,
		async stop() {
			clearTimeout(timer);
			await running;
			clearTimeout(timer);
			await syncAll();
		},
	};
}
