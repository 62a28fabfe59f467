import type { ProcessIdentity } from '#hooks-bridge/disk/process-identity.ts';
import type { DeniedCall } from '#hooks-bridge/ports/denied-call.ts';
import type { Instant, TicketState } from '#lib/approvals/ticket.ts';
import type { Presence } from './presence.ts';
import type { TicketOutcome, TicketRef } from './ticket-port.ts';

const ABSENT_MS = 5000;
const REMEMBERED_MS = 10 * 60_000;

/** A call whose hook waits for a person, with those who wait for its outcome. */
export class HeldTicket {
	readonly id: string;
	readonly held: DeniedCall;
	readonly keys: readonly string[];
	readonly openedAt: string;
	readonly client: ProcessIdentity | null;
	/** Resolves when the question is durable; null if it could not be written. */
	questionWritten: Promise<TicketRef | null> = Promise.resolve(null);
	state: TicketState;
	/** The question is in the journal; before that a grant may answer it. */
	isQuestionWritten = false;
	/** The last operator has just left: the ticket waits only until that operator counts as gone. */
	awaitsOperator = false;
	#outcome: TicketOutcome | null = null;
	#waiters = new Set<(outcome: TicketOutcome) => void>();
	#absentSince: number;
	#endedAt = 0;
	#line: Promise<unknown> = Promise.resolve();

	constructor(made: Pick<HeldTicket, 'id' | 'openedAt' | 'held' | 'keys' | 'client' | 'state'>, now: Instant) {
		this.id = made.id;
		this.held = made.held;
		this.keys = made.keys;
		this.openedAt = made.openedAt;
		this.client = made.client;
		this.state = made.state;
		this.#absentSince = now.monotonic;
	}

	get isOpen(): boolean {
		return this.#outcome === null;
	}

	/** One step at a time: two deciders, the deadline and the liveness check never overlap. */
	inTurn<T>(step: () => Promise<T>): Promise<T> {
		const next = this.#line.then(step);
		this.#line = next.catch(() => undefined);
		return next;
	}

	/** Resolves with the outcome, or as hung up when `signal` aborts first. */
	wait(signal: AbortSignal, now: () => Instant): Promise<TicketOutcome> {
		if (this.#outcome) return Promise.resolve(this.#outcome);
		if (signal.aborted) return Promise.resolve({ kind: 'hung-up' });
		return new Promise((resolve) => {
			const hungUp = () => finishWait({ kind: 'hung-up' });
			const finishWait = (outcome: TicketOutcome) => {
				this.#waiters.delete(finishWait);
				signal.removeEventListener('abort', hungUp);
				this.#absentSince = now().monotonic;
				resolve(outcome);
			};
			this.#waiters.add(finishWait);
			signal.addEventListener('abort', hungUp);
		});
	}

	/** The first outcome wins, also for later waiters. */
	finish(outcome: TicketOutcome, now: Instant): void {
		this.#outcome ??= outcome;
		this.#endedAt = now.monotonic;
		for (const resolveWait of this.#waiters) resolveWait(this.#outcome);
	}

	isHookAbsent(now: Instant): boolean {
		return this.#waiters.size === 0 && now.monotonic - this.#absentSince > ABSENT_MS;
	}

	isGivenUp(presence: Presence): boolean {
		if (presence === 'here') this.awaitsOperator = false;
		return this.awaitsOperator && presence === 'nobody';
	}

	isForgettable(now: Instant): boolean {
		return !this.isOpen && now.monotonic - this.#endedAt > REMEMBERED_MS;
	}
}

/** Tickets by id and by the keys of their run and call; the later of two with one key replaces the earlier. */
export function createTicketIndex<T extends { id: string; keys: readonly string[] }>() {
	const byId = new Map<string, T>();
	const byKey = new Map<string, T>();
	return {
		all: () => [...byId.values()],
		get: (id: string) => byId.get(id),
		find(keys: readonly string[]): T | undefined {
			const key = keys.find((candidate) => byKey.has(candidate));
			return key === undefined ? undefined : byKey.get(key);
		},
		add(ticket: T): void {
			byId.set(ticket.id, ticket);
			for (const key of ticket.keys) byKey.set(key, ticket);
		},
		forget(ticket: T): void {
			byId.delete(ticket.id);
			for (const key of ticket.keys) if (byKey.get(key) === ticket) byKey.delete(key);
		},
	};
}
