import type { SessionsUpdate } from '#lib/contract/wire.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { firstPageOfSessions } from '#lib/session/session-page.ts';
import { createTally, type SessionTally } from '#lib/session/session-tally.ts';
import { summarise } from '#lib/session/summarise.ts';
import type { SessionView } from '#lib/session/view.ts';
import { type Budget, isOverBudget, whenReady } from './budget.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';

/** Everybody who watches the list of sessions. */
export interface ListChannel {
	/** `zone`: how many minutes UTC is ahead of the reader's clock. */
	subscribe(socket: ServerSocket, zone: number, accept: () => void): void;
	leave(socket: ServerSocket): void;
	push(view: SessionView): void;
	/** The index was rebuilt: everybody gets a first page anew. */
	restart(): void;
	stop(): void;
}

const WINDOW_MS = 100;

export function createListChannel(options: {
	io: RealtimeServer;
	views: () => SessionView[];
	epoch: () => string;
	now: () => number;
	budget: Budget;
}): ListChannel {
	const { io, views, epoch, now, budget } = options;
	const watchers = new Map<string, { socket: ServerSocket; zone: number }>();
	/** The latest request of each; an earlier one that still waits is over. */
	const asked = new Map<string, symbol>();
	const changed = new Map<string, SessionView>();

	/** By zone, while anybody watches. */
	const tallies = new Map<number, SessionTally>();
	const tallyOf = (zone: number): SessionTally => {
		const tally = tallies.get(zone) ?? createTally(listViews, now, zone);
		tallies.set(zone, tally);
		return tally;
	};
	const listViews = () => views().filter(({ sessionId }) => sessionId !== HOME_SESSION);
	const firstPage = (zone: number): SessionsUpdate => {
		const at = now();
		return {
			topic: 'sessions',
			epoch: epoch(),
			full: true,
			now: at,
			...firstPageOfSessions(listViews(), { now: at, zone }),
		};
	};

	const flush = (): void => {
		const at = now();
		const sessions = [...changed.values()].map((view) => summarise(view, at));
		changed.clear();
		for (const { socket } of watchers.values()) {
			if (!isOverBudget(socket, budget)) continue;
			watchers.delete(socket.id);
			socket.emit('behind', { topic: 'sessions' });
			whenReady(socket, budget, () => undefined);
		}
		// Days differ by zone alone, so that what is sent is encoded once for each.
		const zones = new Map<number, string[]>();
		for (const [id, { zone }] of watchers) zones.set(zone, [...(zones.get(zone) ?? []), id]);
		for (const [zone, ids] of zones) {
			const counts = tallyOf(zone).counts();
			io.to(ids).emit('sessions', { topic: 'sessions', epoch: epoch(), full: false, sessions, counts, now: at });
		}
	};
	const throttle = createThrottle(WINDOW_MS, flush);

	return {
		subscribe(socket, zone, accept) {
			accept();
			watchers.delete(socket.id);
			const turn = Symbol(socket.id);
			asked.set(socket.id, turn);
			// Who asks again and again, and reads nothing, is not sent one page after the other.
			whenReady(socket, budget, () => {
				if (asked.get(socket.id) !== turn) return;
				socket.emit('sessions', firstPage(zone));
				watchers.set(socket.id, { socket, zone });
			});
		},
		leave(socket) {
			asked.delete(socket.id);
			watchers.delete(socket.id);
		},
		push(view) {
			if (watchers.size === 0) tallies.clear();
			if (watchers.size === 0 || view.sessionId === HOME_SESSION) return;
			for (const tally of tallies.values()) tally.put(view);
			changed.set(view.sessionId, view);
			throttle.poke();
		},
		restart() {
			changed.clear();
			tallies.clear();
			for (const { socket, zone } of watchers.values()) socket.emit('sessions', firstPage(zone));
		},
		stop: throttle.stop,
	};
}
