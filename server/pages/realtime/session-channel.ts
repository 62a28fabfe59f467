import type { EventBatch, SessionSnapshot, SubscribeRequest } from '#lib/contract/realtime/wire.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import type { FeedBatch } from '../../timeline/feed.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';
import { type Budget, isOverBudget, whenReady } from './unsent.ts';

interface Watcher {
	socket: ServerSocket;
	epoch: string | null;
	sentSeq: number;
	/** Has everything and receives new events; otherwise `catchUp` is running. */
	live: boolean;
	left: boolean;
}

const WINDOW_MS = 25;
/** A working agent has an event every few ms at most; only denser ones are grouped. */
const CALM = { requests: 4, spanMs: 28 };
const SNAPSHOT_ROWS = 200;
const PAGE_EVENTS = 50;
/** Beyond this a snapshot is cheaper than the missing events. */
const REACH_EVENTS = 1000;
const MAX_UNSENT = 200;
const RETRY_MS = 1000;

export function createSessionChannel(options: {
	io: RealtimeServer;
	reads: Pick<SessionReads, 'headOf' | 'snapshot' | 'eventsSince'>;
	sessionId: string;
	budget: Budget;
	failed: (error: unknown) => void;
}) {
	const { io, reads, sessionId, budget, failed } = options;
	const topic = `session:${sessionId}` as const;
	const watchers = new Map<string, Watcher>();
	let unsent: IndexedEvent[] = [];
	let epoch: string | undefined;
	let head = 0;
	/** Reported once, until it can be read again. */
	let isFailing = false;

	/** After a change of the epoch all watchers begin again. */
	const notePosition = (position: { epoch: string; seq: number }): void => {
		if (position.epoch === epoch) {
			head = Math.max(head, position.seq);
			return;
		}
		epoch = position.epoch;
		head = position.seq;
		unsent = [];
		for (const watcher of watchers.values()) if (watcher.live) catchUp(watcher);
	};

	/** Null if another epoch was reported meanwhile: then it is unknown which of the two is newer. */
	const ask = async <T>(question: () => Promise<T>): Promise<{ answer: T } | null> => {
		const before = epoch;
		const answer = await question();
		return before === epoch ? { answer } : null;
	};

	const sendSnapshot = async (watcher: Watcher): Promise<boolean> => {
		const snapshot = await ask(() => reads.snapshot(sessionId, SNAPSHOT_ROWS));
		if (!snapshot || watcher.left) return true;
		const { answer: found } = snapshot;
		if (!found) return false;
		notePosition({ epoch: found.epoch, seq: found.view.seq });
		watcher.epoch = found.epoch;
		watcher.sentSeq = found.view.seq;
		watcher.socket.emit('snapshot', { topic, ...found } satisfies SessionSnapshot);
		return true;
	};

	/**
	 * Sends what the watcher lacks, and makes it live when it has everything. Must reach the newest seq: what is published meanwhile is
	 * not sent to it.
	 */
	const sendMore = async (watcher: Watcher): Promise<boolean | 'not-there'> => {
		const isBehind = watcher.epoch !== epoch || head - watcher.sentSeq > REACH_EVENTS;
		if (isBehind && !(await sendSnapshot(watcher))) {
			watcher.live = true;
			return true;
		}
		const { epoch: of, sentSeq: after } = watcher;
		if (watcher.left || of === null) return false;
		const wasBehind = head > after;
		const read = await ask(() => reads.eventsSince(sessionId, { epoch: of, after, limit: PAGE_EVENTS }));
		if (!read || watcher.left) return false;
		const { answer: events } = read;
		if (!events) {
			watcher.epoch = null;
			return false;
		}
		const last = events.at(-1);
		if (last) {
			watcher.sentSeq = last.seq;
			watcher.socket.emit('events', { topic, epoch: of, events } satisfies EventBatch);
		}
		const hasAll = events.length < PAGE_EVENTS && of === epoch && watcher.sentSeq >= head;
		watcher.live = hasAll;
		// A database that has crashed may receive the events once more.
		return wasBehind && !last && of === epoch ? 'not-there' : hasAll;
	};

	const catchUp = (watcher: Watcher): void => {
		watcher.live = false;
		whenReady(watcher.socket, budget, () => {
			if (watcher.left) return;
			sendMore(watcher).then(
				(hasAll) => {
					isFailing = false;
					if (hasAll === true || watcher.left) return;
					if (hasAll === 'not-there') setTimeout(catchUp, RETRY_MS, watcher).unref();
					else setImmediate(catchUp, watcher);
				},
				(error: unknown) => {
					if (!isFailing) failed(error);
					isFailing = true;
					if (!watcher.left) setTimeout(catchUp, RETRY_MS, watcher).unref();
				},
			);
		});
	};

	/** In the next turn the store has what was just published. */
	const catchUpLater = (watcher: Watcher): void => {
		watcher.live = false;
		setImmediate(catchUp, watcher);
	};

	const leaveOut = (watcher: Watcher): void => {
		watcher.left = true;
		watchers.delete(watcher.socket.id);
		watcher.socket.emit('behind', { topic });
		whenReady(watcher.socket, budget, () => undefined);
	};

	const flush = (): void => {
		const events = unsent;
		unsent = [];
		if (epoch === undefined) return;
		const first = events[0]?.seq ?? 0;
		const reachesHead = events.at(-1)?.seq === head && events.length <= MAX_UNSENT;
		const inStep: Watcher[] = [];
		for (const watcher of watchers.values()) {
			if (!watcher.live || watcher.sentSeq >= head) continue;
			if (isOverBudget(watcher.socket, budget)) leaveOut(watcher);
			else if (reachesHead && watcher.epoch === epoch && watcher.sentSeq === first - 1) inStep.push(watcher);
			else catchUpLater(watcher);
		}
		if (inStep.length === 0) return;
		for (const watcher of inStep) watcher.sentSeq = head;
		// Every socket is a room: one broadcast encodes the batch once for all.
		io.to(inStep.map(({ socket }) => socket.id)).emit('events', { topic, epoch, events });
	};
	const throttle = createThrottle(WINDOW_MS, flush, CALM);

	return {
		/** Resolves to false if there is no such session; `accept` is called before anything is sent. */
		async subscribe(
			socket: ServerSocket,
			from: Pick<SubscribeRequest, 'epoch' | 'since'>,
			accept: () => void,
		): Promise<boolean> {
			const former = watchers.get(socket.id);
			if (former) former.left = true;
			const watcher: Watcher = { socket, epoch: null, sentSeq: 0, live: false, left: false };
			watchers.set(socket.id, watcher);
			let found = await ask(() => reads.headOf(sessionId));
			while (!found && !watcher.left) found = await ask(() => reads.headOf(sessionId));
			if (!found || watcher.left) {
				// Another request of the same client, or a disconnect, came in between.
				accept();
				return true;
			}
			const { answer: now } = found;
			if (!now) {
				watchers.delete(socket.id);
				return false;
			}
			notePosition(now);
			if (from.epoch === now.epoch && from.since <= now.seq) {
				watcher.epoch = from.epoch;
				watcher.sentSeq = from.since;
			}
			accept();
			catchUp(watcher);
			return true;
		},
		leave(socket: ServerSocket): void {
			const watcher = watchers.get(socket.id);
			if (watcher) watcher.left = true;
			watchers.delete(socket.id);
		},
		get isEmpty(): boolean {
			return watchers.size === 0;
		},
		publish({ epoch: of, head: seq, events }: Pick<FeedBatch, 'epoch' | 'head' | 'events'>): void {
			if (watchers.size === 0) return;
			notePosition({ epoch: of, seq });
			for (const event of events) unsent.push(event);
			// `flush` needs one over the limit, and the newest seq.
			if (unsent.length > MAX_UNSENT) unsent = unsent.slice(-MAX_UNSENT - 1);
			throttle.request();
		},
		stop: throttle.stop,
	};
}

export type SessionChannel = ReturnType<typeof createSessionChannel>;
