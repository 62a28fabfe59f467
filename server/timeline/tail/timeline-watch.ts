import { type FSWatcher, watch } from 'node:fs';
import { basename, join } from 'node:path';
import type { Log } from '../../process/log.ts';
import { timelinePath } from './timeline-file.ts';

/** The kernel gives each user only so many, editors among them. */
const MAX_WATCHED = 2000;

/** The kernel's notices of single timelines: a hint that comes at once, and may be missing. */
export interface TimelineWatch {
	/** From here on `noticed` is called whenever the session's timeline changes, as long as there is room for one more. */
	add(sessionId: string): void;
	remove(sessionId: string): void;
	stop(): void;
}

/** Watches the folders of timelines, so that files which are put in a timeline's place are noticed, too. */
export function createTimelineWatch(options: {
	sessionsFolder: string;
	noticed: (sessionId: string) => void;
	log: Log;
}): TimelineWatch {
	const { sessionsFolder, noticed, log } = options;
	const watchers = new Map<string, FSWatcher>();
	let most = MAX_WATCHED;

	const remove = (sessionId: string) => {
		watchers.get(sessionId)?.close();
		watchers.delete(sessionId);
	};
	/** Of others there is no more room than what was had, until the server starts again. */
	const full = (sessionId: string, error: unknown) => {
		remove(sessionId);
		most = Math.min(most, watchers.size);
		log.warn('tail: no more timelines can be watched; polling goes on', { reason: String(error) });
	};

	return {
		add(sessionId) {
			if (watchers.has(sessionId) || watchers.size >= most) return;
			try {
				const folder = join(sessionsFolder, sessionId);
				const file = basename(timelinePath(sessionsFolder, sessionId));
				const watcher = watch(folder, (_event, name) => {
					if (name === file) noticed(sessionId);
				}).unref();
				watchers.set(sessionId, watcher);
				watcher.on('error', (error) => full(sessionId, error));
			} catch (error) {
				if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return;
				full(sessionId, error);
			}
		},
		remove,
		stop() {
			most = 0;
			for (const sessionId of watchers.keys()) remove(sessionId);
		},
	};
}
