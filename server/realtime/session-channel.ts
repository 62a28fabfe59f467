import type { EventBatch, SessionSnapshot, SubscribeRequest } from '#lib/contract/wire.ts';
import { emptyView, type IndexedEvent } from '#lib/session/view.ts';
import type { IndexStore } from '../store/index-store.ts';
import { type Budget, isOverBudget, whenReady } from './budget.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';

/** Everybody who watches one session. */
export interface SessionChannel {
	/** False: there is no such session. */
	subscribe(socket: ServerSocket, from: Pick<SubscribeRequest, 'epoch' | 'since'>, accept: () => void): boolean;
	leave(socket: ServerSocket): void;
	readonly isEmpty: boolean;
	push(events: readonly IndexedEvent[]): void;
	/** The index was rebuilt: everybody gets a new snapshot. */
	restart(): void;
	stop(): void;
}

interface Watcher {
	socket: ServerSocket;
	/** Everything up to here has been sent. */
	sentSeq: number;
	/** Has all that the index holds and gets what is pushed; else `catchUp` is at work. */
	live: boolean;
	left: boolean;
}

const WINDOW_MS = 25;
/** An agent at work tells something every few ms at most; only denser events are worth waiting for each other. */
const CALM = { pokes: 4, spanMs: 28 };
const SNAPSHOT_ROWS = 200;
const PAGE_EVENTS = 50;
/** Further back than this a snapshot is cheaper than the missing events. */
const REACH_EVENTS = 1000;
/** More than this in one window is read back from the index in pages, so that memory stays bounded. */
const MAX_PUSHED = 200;

export function createSessionChannel(options: {
	io: RealtimeServer;
	index: IndexStore;
	sessionId: string;
	budget: Budget;
}): SessionChannel {
	const { io, index, sessionId, budget } = options;
	const topic = `session:${sessionId}` as const;
	const watchers = new Map<string, Watcher>();
	let pushed: IndexedEvent[] = [];
	/** The newest seq that this channel has heard of. */
	let head = 0;

	const sendSnapshot = (watcher: Watcher): void => {
		const view = index.view(sessionId) ?? emptyView(sessionId);
		const rows = index.rows(sessionId, { limit: SNAPSHOT_ROWS });
		watcher.sentSeq = view.seq;
		watcher.socket.emit('snapshot', { topic, epoch: index.epoch, view, rows } satisfies SessionSnapshot);
	};

	/**
	 * Sends page after page of what the watcher lacks, as fast as it takes them, and lets the event loop turn
	 * between pages. With the last page, which is not full, it has all and is live.
	 */
	const catchUp = (watcher: Watcher): void => {
		watcher.live = false;
		whenReady(watcher.socket, budget, () => {
			if (watcher.left) return;
			if (head - watcher.sentSeq > REACH_EVENTS) sendSnapshot(watcher);
			const events = index.events(sessionId, { after: watcher.sentSeq, limit: PAGE_EVENTS });
			const last = events.at(-1);
			if (last) {
				watcher.sentSeq = last.seq;
				watcher.socket.emit('events', { topic, epoch: index.epoch, events } satisfies EventBatch);
			}
			if (events.length < PAGE_EVENTS) watcher.live = true;
			else setImmediate(catchUp, watcher);
		});
	};

	const leaveOut = (watcher: Watcher): void => {
		watcher.left = true;
		watchers.delete(watcher.socket.id);
		watcher.socket.emit('behind', { topic });
		whenReady(watcher.socket, budget, () => undefined);
	};

	const flush = (): void => {
		const events = pushed;
		pushed = [];
		const first = events[0]?.seq ?? 0;
		const last = events.at(-1)?.seq ?? 0;
		const inStep: Watcher[] = [];
		for (const watcher of watchers.values()) {
			if (!watcher.live || watcher.sentSeq >= last) continue;
			if (isOverBudget(watcher.socket, budget)) leaveOut(watcher);
			else if (watcher.sentSeq === first - 1 && events.length <= MAX_PUSHED) inStep.push(watcher);
			else catchUp(watcher);
		}
		if (inStep.length === 0) return;
		for (const watcher of inStep) watcher.sentSeq = last;
		// Every socket is a room of its own name: one broadcast encodes the batch once for all of them.
		io.to(inStep.map(({ socket }) => socket.id)).emit('events', { topic, epoch: index.epoch, events });
	};
	const throttle = createThrottle(WINDOW_MS, flush, CALM);

	return {
		subscribe(socket, { epoch, since }, accept) {
			const view = index.view(sessionId);
			if (!view) return false;
			head = view.seq;
			const former = watchers.get(socket.id);
			if (former) former.left = true;
			const isKnown = epoch === index.epoch && since <= head;
			// Out of reach of any event: the first thing that is sent, once there is room for it, is a snapshot.
			const sentSeq = isKnown ? since : Number.NEGATIVE_INFINITY;
			const watcher: Watcher = { socket, sentSeq, live: false, left: false };
			watchers.set(socket.id, watcher);
			accept();
			catchUp(watcher);
			return true;
		},
		leave(socket) {
			const watcher = watchers.get(socket.id);
			if (watcher) watcher.left = true;
			watchers.delete(socket.id);
		},
		get isEmpty() {
			return watchers.size === 0;
		},
		push(events) {
			if (watchers.size === 0) return;
			for (const event of events) pushed.push(event);
			head = events.at(-1)?.seq ?? head;
			// One over the limit is enough for `flush` to know, and the newest seq must stay.
			if (pushed.length > MAX_PUSHED) pushed = pushed.slice(-MAX_PUSHED - 1);
			throttle.poke();
		},
		restart() {
			pushed = [];
			head = index.view(sessionId)?.seq ?? 0;
			for (const watcher of watchers.values()) {
				sendSnapshot(watcher);
				if (watcher.live) catchUp(watcher);
			}
		},
		stop: throttle.stop,
	};
}
