import type { SessionSummary } from '#lib/contract/sessions/read-model/session-summary.ts';
import { isHomeSession } from '#lib/ids/session-name.ts';
import type { Feed, FeedBatch } from '../../timeline/feed.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';
import { type Budget, isOverBudget, whenReady } from './unsent.ts';

interface Watcher {
	socket: ServerSocket;
	zone: number;
	/** Changes during the first page, by session; undefined once it has the page. */
	missed: Map<string, SummaryAt> | undefined;
	left: boolean;
}

type SummaryAt = (now: number) => SessionSummary;

const WINDOW_MS = 100;
const RETRY_MS = 1000;

export function createListChannel(options: {
	io: RealtimeServer;
	feed: Pick<Feed, 'summaries' | 'counts' | 'listEpoch' | 'watch'>;
	now: () => number;
	budget: Budget;
	failed: (error: unknown) => void;
}) {
	const { io, feed, now, budget, failed } = options;
	const watchers = new Map<string, Watcher>();
	let changed = new Map<string, SummaryAt>();
	let unwatch: (() => void) | undefined;
	let epoch = feed.listEpoch();
	let sending = Promise.resolve();

	/** A client that asks repeatedly and reads nothing gets one page only. */
	const begin = (watcher: Watcher): void => {
		whenReady(watcher.socket, budget, () => {
			sendFirst(watcher).catch((error: unknown) => {
				failed(error);
				if (!watcher.left) setTimeout(begin, RETRY_MS, watcher).unref();
			});
		});
	};

	const sendFirst = async (watcher: Watcher): Promise<void> => {
		while (!watcher.left) {
			const missed = new Map<string, SummaryAt>();
			watcher.missed = missed;
			const of = epoch;
			const at = now();
			const page = await feed.summaries({ first: true, now: at, zone: watcher.zone });
			if (watcher.left || of !== epoch) continue;
			watcher.socket.emit('sessions', { topic: 'sessions', epoch, full: true, now: at, ...page });
			watcher.missed = undefined;
			for (const [id, summaryAt] of missed) changed.set(id, summaryAt);
			if (missed.size > 0) throttle.request();
			return;
		}
	};

	const remove = (watcher: Watcher): void => {
		watcher.left = true;
		watchers.delete(watcher.socket.id);
		if (watchers.size > 0) return;
		unwatch?.();
		unwatch = undefined;
	};

	const leaveOut = (watcher: Watcher): void => {
		remove(watcher);
		watcher.socket.emit('behind', { topic: 'sessions' });
		whenReady(watcher.socket, budget, () => undefined);
	};

	const send = async (lines: ReadonlyMap<string, SummaryAt>, of: string): Promise<void> => {
		const at = now();
		const sessions = [...lines.values()].map((summaryAt) => summaryAt(at));
		// Lists differ only by the reader's zone, so one is encoded for each zone.
		for (const zone of new Set([...watchers.values()].map((watcher) => watcher.zone))) {
			const counts = await feed.counts(zone);
			if (of !== epoch) return;
			const live = [...watchers.values()].filter((watcher) => watcher.zone === zone && !watcher.missed);
			const ids = live.map(({ socket }) => socket.id);
			if (ids.length === 0) continue;
			io.to(ids).emit('sessions', { topic: 'sessions', epoch, full: false, sessions, counts, now: at });
		}
	};

	const flush = (): void => {
		const lines = changed;
		const of = epoch;
		changed = new Map();
		for (const watcher of watchers.values()) if (isOverBudget(watcher.socket, budget)) leaveOut(watcher);
		sending = sending
			.then(() => send(lines, of))
			.catch((error: unknown) => {
				// They are sent with the next change.
				if (of === epoch) for (const [id, summaryAt] of lines) if (!changed.has(id)) changed.set(id, summaryAt);
				failed(error);
			});
	};
	const throttle = createThrottle(WINDOW_MS, flush);

	return {
		/** `zone`: how many minutes UTC is ahead of the reader's clock. */
		subscribe(socket: ServerSocket, zone: number, accept: () => void): void {
			if (watchers.size === 0) epoch = feed.listEpoch();
			unwatch ??= feed.watch('sessions');
			const former = watchers.get(socket.id);
			if (former) former.left = true;
			const watcher: Watcher = { socket, zone, missed: new Map(), left: false };
			watchers.set(socket.id, watcher);
			accept();
			begin(watcher);
		},
		leave(socket: ServerSocket): void {
			const watcher = watchers.get(socket.id);
			if (watcher) remove(watcher);
		},
		push({ sessionId, summary }: FeedBatch): void {
			if (watchers.size === 0 || !summary || isHomeSession(sessionId)) return;
			if (feed.listEpoch() !== epoch) {
				epoch = feed.listEpoch();
				changed.clear();
				// Watchers that wait for a first page get one of the new epoch.
				for (const watcher of watchers.values()) if (!watcher.missed) begin(watcher);
			}
			changed.set(sessionId, summary);
			for (const { missed } of watchers.values()) missed?.set(sessionId, summary);
			throttle.request();
		},
		stop(): void {
			throttle.stop();
			unwatch?.();
		},
	};
}
