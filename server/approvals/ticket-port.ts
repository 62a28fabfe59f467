import type { HeldCall, WantedAssessment } from '#hooks-bridge/ports/ports.ts';

/** How waiting for a person ended, for the one who waits. */
export type TicketOutcome =
	/** A person decided: this is what the hook prints. */
	| { kind: 'answer'; output: Record<string, unknown> | null }
	/** Expired or abandoned: the gate's own output stands. */
	| { kind: 'over' }
	| { kind: 'unknown' }
	| { kind: 'stopping' }
	| { kind: 'hung-up' };

/** What a hook is told of its ticket. */
export interface TicketStub {
	id: string;
	/** ISO: how long a person may take; absent where nobody was asked yet. */
	until?: string;
}

/** A call that waits for a person. */
export interface WaitingCall {
	id: string;
	held: HeldCall;
	/** By the clock on which its time is over first. */
	leftMs: number;
}

/** The part of the approval service that the door uses. It records and asks, and can never decide (DESIGN 6). */
export interface TicketPort {
	/** The ticket that an earlier run of the same call opened; resolves when it is durable. */
	find(keys: readonly string[]): Promise<TicketStub | null> | undefined;
	/** Asks the grants, then a person. Null: the denial stands. `polls`: the caller comes back for the answer, within its own timeout. */
	open(held: HeldCall, options: { polls: boolean; keys: readonly string[] }): Promise<TicketStub | null>;
	/** A running review: nobody need be there, since it goes on by itself. Null: it could not be written down. */
	openReview(held: HeldCall, ms: number): Promise<TicketStub | null>;
	/** The review came to its end by itself; gives what a person decided before that. */
	closeReview(ticketId: string, reason: string): Promise<TicketOutcome>;
	wait(ticketId: string, signal: AbortSignal): Promise<TicketOutcome>;
	/** A place of its own for an assessment that the hook waits for; undefined where it does not. */
	assess?(wanted: WantedAssessment, options: { keys: readonly string[] }): Promise<TicketStub> | undefined;
}
