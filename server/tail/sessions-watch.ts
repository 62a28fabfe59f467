import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { makeFolder } from '#hooks-bridge/disk/make-folder.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import type { Log } from '../log.ts';
import type { Cursor } from '../store/index-store.ts';
import { lookAtTimeline } from './timeline-file.ts';

const POLL_MS = 1000;
/** Folders looked at in one turn of the loop. */
const SLICE = 200;

export interface SessionsWatchOptions {
	sessionsFolder: string;
	cursors: ReadonlyMap<string, Cursor>;
	/** A timeline is new, longer or otherwise different. */
	changed: (sessionId: string) => void;
	/** What had been indexed is no longer there, or another file stands in its place. */
	gone: (sessionId: string) => void;
	warnOnce: (sessionId: string, message: string) => void;
	log: Log;
}

/**
 * Finds new sessions and files that others changed. Sizes asked every second are the truth;
 * the kernel's notices are only a hint, since they get lost.
 */
export function createSessionsWatch(options: SessionsWatchOptions) {
	const { sessionsFolder, cursors, changed, gone, warnOnce, log } = options;
	/** What each file looked like when it was last checked. */
	const seen = new Map<string, string>();
	let watcher: FSWatcher | undefined;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let stopped = false;

	/** One session that cannot be looked at must not hide the others. */
	function checkSafely(sessionId: string) {
		try {
			checkOne(sessionId);
		} catch (error) {
			warnOnce(sessionId, `tail: the session's files cannot be looked at (${String(error)})`);
		}
	}

	function checkOne(sessionId: string) {
		const found = lookAtTimeline(sessionsFolder, sessionId);
		const cursor = cursors.get(sessionId);
		if (found === 'refused')
			warnOnce(sessionId, 'tail: the session or its timeline.jsonl is a link or no plain file; it is not read');
		if (typeof found === 'string') {
			seen.delete(sessionId);
			if (cursor) gone(sessionId);
			return;
		}
		if (cursor && (found.ino !== cursor.inode || found.dev !== cursor.device || found.size < cursor.offset)) {
			gone(sessionId);
			seen.delete(sessionId);
		}
		const look = `${found.ino} ${found.size} ${found.mtimeMs}`;
		if (seen.get(sessionId) === look) return;
		seen.set(sessionId, look);
		if (found.size > 0) changed(sessionId);
	}

	async function checkAll() {
		const names = readdirSync(sessionsFolder);
		const present = names.filter((name) => {
			const safe = isSafeId(name);
			if (!safe) warnOnce(name, 'tail: this folder under sessions/ has no session id as its name; it is ignored');
			return safe;
		});
		const everything = new Set([...present, ...cursors.keys()]);
		let inSlice = 0;
		for (const sessionId of everything) {
			if (stopped) return;
			checkSafely(sessionId);
			inSlice += 1;
			if (inSlice % SLICE === 0) await nextTurn();
		}
	}

	function check(): Promise<void> {
		running = (running ?? Promise.resolve()).then(checkAll).catch((error: unknown) => {
			log.error('tail: the sessions folder could not be listed', error);
		});
		return running;
	}

	function pollLater() {
		timer = setTimeout(() => {
			void check().then(() => {
				if (!stopped) pollLater();
			});
		}, POLL_MS).unref();
	}

	return {
		async start() {
			makeFolder(sessionsFolder);
			try {
				watcher = watch(sessionsFolder, (_event, name) => {
					if (isSafeId(name)) checkSafely(name);
				}).unref();
				watcher.on('error', (error) => log.error('tail: watching sessions/ failed; polling goes on', error));
			} catch (error) {
				log.error('tail: sessions/ cannot be watched; polling goes on', error);
			}
			await check();
			if (!stopped) pollLater();
		},
		/** Looks at every session now. */
		check,
		/** Has the session read again at the next look, even if its file does not change. */
		recheck: (sessionId: string) => void seen.delete(sessionId),
		async stop() {
			stopped = true;
			clearTimeout(timer);
			watcher?.close();
			await running;
		},
	};
}
