import type { HeldCall, WantedAssessment } from '#hooks-bridge/ports/ports.ts';

export type TicketOutcome =
	| { kind: 'answer'; output: Record<string, unknown> | null }
	| { kind: 'over' }
	| { kind: 'unknown' }
	| { kind: 'stopping' }
	| { kind: 'hung-up' };

export interface TicketStub {
	id: string;
	until?: string;
}

export interface WaitingCall {
	id: string;
	held: HeldCall;
	/** By the clock that ends first. */
	leftMs: number;
}

/** What the door uses of approvals: it records and asks, and can never decide. */
export interface TicketPort {
	/** The ticket that an earlier run of the same call opened; resolves when it is durable. */
	find(keys: readonly string[]): Promise<TicketStub | null> | undefined;
	/** Asks the grants, then a person. Null: the denial stands. `polls`: the caller returns for the answer in time. */
	open(held: HeldCall, options: { polls: boolean; keys: readonly string[] }): Promise<TicketStub | null>;
	/** Asks about a running review, even if nobody is present. Null: it could not be written. */
	openReview(held: HeldCall, ms: number): Promise<TicketStub | null>;
	/** The review ended; gives the decision that a person made before that. */
	closeReview(ticketId: string, reason: string): Promise<TicketOutcome>;
	wait(ticketId: string, signal: AbortSignal): Promise<TicketOutcome>;
	/** A ticket for an assessment that the hook waits for; undefined where it does not. */
	assess?(wanted: WantedAssessment, options: { keys: readonly string[] }): Promise<TicketStub> | undefined;
}
