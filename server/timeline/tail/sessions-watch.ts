import { type FSWatcher, readdirSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemErrorCode } from '#hooks-bridge/disk/system-error-code.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { isSafeId } from '#lib/ids/safe-id.ts';
import type { Log } from '../../process/log.ts';
import type { Cursor } from '../store/index-store.ts';
import { statTimeline, timelinePath } from './timeline-file.ts';

const POLL_MS = 1000;
/** A timeline quiet for so long is checked in every tenth poll. */
const QUIET_MS = 60_000;
const QUIET_POLLS = 10;
/** Folders checked in one turn of the loop. */
const SLICE = 200;

export interface SessionsWatchOptions {
	sessionsFolder: string;
	cursors: ReadonlyMap<string, Cursor>;
	/** Whether this process itself appends to a timeline, of which no notice is needed. */
	isOwn: (sessionId: string) => boolean;
	changed: (sessionId: string) => void;
	/** Indexed content is gone, or another file is in its place. */
	gone: (sessionId: string) => void;
	warnOnce: (sessionId: string, message: string) => void;
	log: Log;
	/** Poll interval without notices. */
	pollMs?: number;
	stat?: typeof statTimeline;
}

interface Seen {
	stat: string;
	size: number;
	/** Modification time, by the machine's clock. */
	writtenMs: number;
}

/**
 * Finds new sessions and changed files by their sizes, polled every second, or every ten for a quiet timeline. The kernel's
 * notices are only hints, since they get lost.
 */
export function createSessionsWatch(options: SessionsWatchOptions) {
	const { sessionsFolder, cursors, isOwn, changed, gone, warnOnce, log } = options;
	const { pollMs = POLL_MS, stat = statTimeline } = options;
	const seen = new Map<string, Seen>();
	const timelines = createTimelineWatch({ sessionsFolder, noticed: checkSafely, log });
	let polls = 0;
	let watcher: FSWatcher | undefined;
	let timer: NodeJS.Timeout | undefined;
	let running: Promise<void> | undefined;
	let stopped = false;

	/** A session that cannot be checked must not hide the others. */
	function checkSafely(sessionId: string) {
		try {
			checkOne(sessionId);
		} catch (error) {
			warnOnce(sessionId, `tail: the session's files cannot be looked at (${String(error)})`);
		}
	}

	function checkOne(sessionId: string) {
		const file = stat(sessionsFolder, sessionId);
		const cursor = cursors.get(sessionId);
		if (file === 'refused')
			warnOnce(sessionId, 'tail: the session or its timeline.jsonl is a link or no plain file; it is not read');
		if (typeof file === 'string') {
			seen.delete(sessionId);
			timelines.remove(sessionId);
			if (cursor) gone(sessionId);
			return;
		}
		if (!isOwn(sessionId)) timelines.add(sessionId);
		if (cursor && (file.ino !== cursor.inode || file.dev !== cursor.device || file.size < cursor.offset)) {
			gone(sessionId);
			seen.delete(sessionId);
		}
		const now = `${file.ino} ${file.size} ${file.mtimeMs}`;
		if (seen.get(sessionId)?.stat === now) return;
		seen.set(sessionId, { stat: now, size: file.size, writtenMs: file.mtimeMs });
		if (file.size > 0) changed(sessionId);
	}

	/** Sessions checked by this poll: new, gone or active, and every tenth of the others. */
	function due(everything: ReadonlySet<string>, present: ReadonlySet<string>): string[] {
		const quietSince = Date.now() - QUIET_MS;
		polls += 1;
		return [...everything].filter((sessionId, index) => {
			const known = seen.get(sessionId);
			const isQuiet = known !== undefined && known.writtenMs < quietSince && present.has(sessionId);
			return !isQuiet || (index + polls) % QUIET_POLLS === 0;
		});
	}

	async function checkAll(which: 'all' | 'due') {
		const names = readdirSync(sessionsFolder);
		const present = new Set(
			names.filter((name) => {
				const safe = isSafeId(name);
				if (!safe) warnOnce(name, 'tail: this folder under sessions/ has no session id as its name; it is ignored');
				return safe;
			}),
		);
		const everything = new Set([...present, ...cursors.keys()]);
		let inSlice = 0;
		for (const sessionId of which === 'all' ? everything : due(everything, present)) {
			if (stopped) return;
			checkSafely(sessionId);
			inSlice += 1;
			if (inSlice % SLICE === 0) await nextTurn();
		}
	}

	function check(which: 'all' | 'due' = 'all'): Promise<void> {
		const before = running ?? Promise.resolve();
		running = before
			.then(() => checkAll(which))
			.catch((error: unknown) => log.error('tail: the sessions folder could not be listed', error));
		return running;
	}
	const poll = () => check('due');

	function pollLater() {
		timer = setTimeout(() => {
			void poll().then(() => {
				if (!stopped) pollLater();
			});
		}, pollMs).unref();
	}

	return {
		async start() {
			makeFolder(sessionsFolder);
			try {
				watcher = watch(sessionsFolder, (_event, name) => {
					if (!isSafeId(name)) return;
					// Another folder may be there now.
					timelines.remove(name);
					checkSafely(name);
				}).unref();
				watcher.on('error', (error) => log.error('tail: watching sessions/ failed; polling goes on', error));
			} catch (error) {
				log.error('tail: sessions/ cannot be watched; polling goes on', error);
			}
			await check();
			if (!stopped) pollLater();
		},
		check: () => check(),
		poll,
		/** Needs no notices of this session any more. */
		unwatch: timelines.remove,
		/** Reads the session again at the next check, even if its file does not change. */
		recheck: (sessionId: string) => void seen.delete(sessionId),
		recheckAll: () => seen.clear(),
		bytes: () => [...seen.values()].reduce((sum, { size }) => sum + size, 0),
		async stop() {
			stopped = true;
			clearTimeout(timer);
			watcher?.close();
			timelines.stop();
			await running;
		},
	};
}

/** The kernel limits watches per user, shared with editors and others. */
const MAX_WATCHED = 2000;

/** Kernel notices for single timelines: immediate, but some are missing. Watches their folders, to notice a replaced file. */
function createTimelineWatch({
	sessionsFolder,
	noticed,
	log,
}: Pick<SessionsWatchOptions, 'sessionsFolder' | 'log'> & { noticed: (sessionId: string) => void }) {
	const watchers = new Map<string, FSWatcher>();
	let most = MAX_WATCHED;

	const remove = (sessionId: string) => {
		watchers.get(sessionId)?.close();
		watchers.delete(sessionId);
	};
	/** No further watches are tried until the server restarts. */
	const full = (sessionId: string, error: unknown) => {
		remove(sessionId);
		most = Math.min(most, watchers.size);
		log.warn('tail: no more timelines can be watched; polling goes on', { reason: String(error) });
	};

	return {
		/** From now on calls `noticed` when the session's timeline changes, as long as watches are left. */
		add(sessionId: string) {
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
				if (systemErrorCode(error) !== 'ENOENT') full(sessionId, error);
			}
		},
		remove,
		stop() {
			most = 0;
			for (const sessionId of watchers.keys()) remove(sessionId);
		},
	};
}
