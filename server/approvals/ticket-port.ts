import type { DeniedCall, WantedAssessment } from '#hooks-bridge/ports/denied-call.ts';

export type TicketOutcome =
	| { kind: 'answer'; output: Record<string, unknown> | null }
	| { kind: 'over' }
	| { kind: 'unknown' }
	| { kind: 'stopping' }
	| { kind: 'hung-up' };

export interface TicketRef {
	id: string;
	until?: string;
}

export interface WaitingCall {
	id: string;
	held: DeniedCall;
	/** Until the earlier end on its two clocks. */
	leftMs: number;
}

/** What the door may do with approvals: record and ask, never decide. */
export interface TicketPort {
	/** The ticket that an earlier run of the same call opened; resolves when it is durable. */
	find(keys: readonly string[]): Promise<TicketRef | null> | undefined;
	/** Asks the grants, then a person. Null: the denial remains. `polls`: the caller fetches the answer later. */
	open(held: DeniedCall, options: { polls: boolean; keys: readonly string[] }): Promise<TicketRef | null>;
	/** Asks about a running review, even if nobody is present. Null: the question could not be written. */
	openReview(held: DeniedCall, ms: number): Promise<TicketRef | null>;
	/** Ends a review; returns the decision that a person made before that. */
	closeReview(ticketId: string, reason: string): Promise<TicketOutcome>;
	wait(ticketId: string, signal: AbortSignal): Promise<TicketOutcome>;
	/** A ticket for an assessment that the hook waits for; undefined if it does not wait. */
	assess?(wanted: WantedAssessment, options: { keys: readonly string[] }): Promise<TicketRef> | undefined;
}
