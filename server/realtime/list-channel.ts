import type { SessionsUpdate } from '#lib/contract/wire.ts';
import { HOME_SESSION } from '#lib/ids/safe-id.ts';
import { summarise } from '#lib/session/summarise.ts';
import type { SessionView } from '#lib/session/view.ts';
import { type Budget, isOverBudget, whenReady } from './budget.ts';
import type { RealtimeServer, ServerSocket } from './socket-types.ts';
import { createThrottle } from './throttle.ts';

/** Everybody who watches the list of sessions. */
export interface ListChannel {
	subscribe(socket: ServerSocket, accept: () => void): void;
	leave(socket: ServerSocket): void;
	push(view: SessionView): void;
	/** The index was rebuilt: everybody gets the whole list. */
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
	const watchers = new Map<string, ServerSocket>();
	/** The latest request of each; an earlier one that still waits is over. */
	const asked = new Map<string, symbol>();
	const changed = new Map<string, SessionView>();

	const update = (full: boolean, of: Iterable<SessionView>): SessionsUpdate => {
		const at = now();
		const listed = [...of].filter((view) => view.sessionId !== HOME_SESSION);
		return { topic: 'sessions', epoch: epoch(), full, sessions: listed.map((view) => summarise(view, at)), now: at };
	};

	const flush = (): void => {
		const said = update(false, changed.values());
		changed.clear();
		for (const socket of watchers.values()) {
			if (!isOverBudget(socket, budget)) continue;
			watchers.delete(socket.id);
			socket.emit('behind', { topic: 'sessions' });
			whenReady(socket, budget, () => undefined);
		}
		if (watchers.size > 0) io.to([...watchers.keys()]).emit('sessions', said);
	};
	const throttle = createThrottle(WINDOW_MS, flush);

	return {
		subscribe(socket, accept) {
			accept();
			watchers.delete(socket.id);
			const turn = Symbol(socket.id);
			asked.set(socket.id, turn);
			// Who asks again and again, and reads nothing, is not sent one whole list after the other.
			whenReady(socket, budget, () => {
				if (asked.get(socket.id) !== turn) return;
				socket.emit('sessions', update(true, views()));
				watchers.set(socket.id, socket);
			});
		},
		leave(socket) {
			asked.delete(socket.id);
			watchers.delete(socket.id);
		},
		push(view) {
			if (watchers.size === 0 || view.sessionId === HOME_SESSION) return;
			changed.set(view.sessionId, view);
			throttle.poke();
		},
		restart() {
			changed.clear();
			const whole = update(true, views());
			for (const socket of watchers.values()) socket.emit('sessions', whole);
		},
		stop: throttle.stop,
	};
}
