import type { ProcessIdentity } from '#hooks-bridge/disk/process-identity.ts';
import type { HeldCall } from '#hooks-bridge/ports/ports.ts';
import type { Instant, Ticket } from '#lib/approvals/ticket.ts';
import type { Presence } from './presence.ts';
import type { TicketOutcome, TicketStub } from './ticket-port.ts';

/** How long a hook may stay away between two polls before it counts as killed. */
const ABSENT_MS = 5000;
/** How long a finished ticket still answers a poll that comes late. */
const KEPT_MS = 10 * 60_000;

/** One waiting hook and everybody who waits with it. */
export class HeldTicket {
	readonly id: string;
	readonly held: HeldCall;
	readonly keys: readonly string[];
	/** ISO, by the clock that stamps events. */
	readonly openedAt: string;
	readonly client: ProcessIdentity | null;
	/** Resolves when the question is durable; null when it could not be made so. */
	opened: Promise<TicketStub | null> = Promise.resolve(null);
	ticket: Ticket;
	/** The question is in the journal: before that a grant may still answer it. */
	isAsked = false;
	/** It was asked while the last operator had just left: it waits only until that one is given up. */
	awaitsOperator = false;
	#outcome: TicketOutcome | null = null;
	#waiters = new Set<(outcome: TicketOutcome) => void>();
	/** On the steady clock: since when nobody polls. */
	#absentSince: number;
	#endedAt = 0;
	#line: Promise<unknown> = Promise.resolve();

	constructor(
		made: {
			id: string;
			openedAt: string;
			held: HeldCall;
			keys: readonly string[];
			client: ProcessIdentity | null;
			ticket: Ticket;
		},
		now: Instant,
	) {
		this.id = made.id;
		this.held = made.held;
		this.keys = made.keys;
		this.openedAt = made.openedAt;
		this.client = made.client;
		this.ticket = made.ticket;
		this.#absentSince = now.steady;
	}

	get isOpen(): boolean {
		return this.#outcome === null;
	}

	/** One step at a time: two deciders, the deadline and the liveness check never overlap. */
	inTurn<T>(step: () => Promise<T>): Promise<T> {
		const turn = this.#line.then(step);
		this.#line = turn.catch(() => undefined);
		return turn;
	}

	/** Resolves with the outcome, or as hung up when `signal` aborts first. */
	wait(signal: AbortSignal, now: () => Instant): Promise<TicketOutcome> {
		if (this.#outcome) return Promise.resolve(this.#outcome);
		if (signal.aborted) return Promise.resolve({ kind: 'hung-up' });
		return new Promise((resolve) => {
			const hungUp = () => done({ kind: 'hung-up' });
			const done = (outcome: TicketOutcome) => {
				this.#waiters.delete(done);
				signal.removeEventListener('abort', hungUp);
				this.#absentSince = now().steady;
				resolve(outcome);
			};
			this.#waiters.add(done);
			signal.addEventListener('abort', hungUp);
		});
	}

	/** Tells everybody who waits, once; later waiters get the same. */
	finish(outcome: TicketOutcome, now: Instant): void {
		this.#outcome ??= outcome;
		this.#endedAt = now.steady;
		for (const tell of this.#waiters) tell(this.#outcome);
	}

	isHookAbsent(now: Instant): boolean {
		return this.#waiters.size === 0 && now.steady - this.#absentSince > ABSENT_MS;
	}

	/** Whether nobody came who could answer; never again once somebody did. */
	isGivenUp(presence: Presence): boolean {
		if (presence === 'here') this.awaitsOperator = false;
		return this.awaitsOperator && presence === 'nobody';
	}

	isForgettable(now: Instant): boolean {
		return !this.isOpen && now.steady - this.#endedAt > KEPT_MS;
	}
}

interface Kept {
	id: string;
	/** The run and the call that it was opened for: a second run of either finds it by these. */
	keys: readonly string[];
}

/** Tickets by their ids and by the keys of the runs that may share them; of two with one key the later counts. */
interface TicketIndex<T extends Kept> {
	/** Oldest first. */
	all(): T[];
	get(id: string): T | undefined;
	/** The ticket of the first key that has one. */
	find(keys: readonly string[]): T | undefined;
	add(ticket: T): void;
	forget(ticket: T): void;
}

export function createTicketIndex<T extends Kept>(): TicketIndex<T> {
	const byId = new Map<string, T>();
	const byKey = new Map<string, T>();
	return {
		all: () => [...byId.values()],
		get: (id) => byId.get(id),
		find(keys) {
			const key = keys.find((candidate) => byKey.has(candidate));
			return key === undefined ? undefined : byKey.get(key);
		},
		add(ticket) {
			byId.set(ticket.id, ticket);
			for (const key of ticket.keys) byKey.set(key, ticket);
		},
		forget(ticket) {
			byId.delete(ticket.id);
			for (const key of ticket.keys) if (byKey.get(key) === ticket) byKey.delete(key);
		},
	};
}
