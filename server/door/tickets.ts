import type { ServerResponse } from 'node:http';
import type { HeldCall, HookAnswer } from '#hooks-bridge/ports/ports.ts';
import type { TicketPort, TicketStub } from '../approvals/ticket-port.ts';
import { answerWithOutput, answerWithText, answerWithTicket } from './exchange.ts';

/** The part of a hook's answer that says whether it has to wait, and for what. */
export type WantedTicket = Pick<HookAnswer, 'held' | 'assess' | 'repeated' | 'keys'> & {
	/** The caller comes back for its answer, within its own timeout. */
	polls: boolean;
};

/** What the door asks of those who keep tickets; all of it may happen on another thread. */
export interface DoorTickets extends Pick<TicketPort, 'closeReview' | 'wait'> {
	/** The ticket at which a hook waits. Null: its own answer stands. Undefined where that is known at once. */
	take(wanted: WantedTicket): Promise<TicketStub | null> | undefined;
	/** As `TicketPort.openReview`. */
	openReview(held: HeldCall, ms: number): Promise<TicketStub | null>;
}

/** The tickets of a service: a held call has its own, a repeated run that of the first, an assessment the validator's. */
export function ticketsOf(service: TicketPort): DoorTickets {
	return {
		take({ held, assess, repeated, keys, polls }) {
			if (held) return service.open(held, { polls, keys });
			const joined = repeated && service.find(keys);
			if (joined) return joined;
			return assess && service.assess?.(assess, { keys });
		},
		openReview: (held, ms) => service.openReview(held, ms),
		closeReview: (ticketId, reason) => service.closeReview(ticketId, reason),
		wait: (ticketId, signal) => service.wait(ticketId, signal),
	};
}

type Output = Record<string, unknown> | null;

/** Aborts when the other side hangs up, or the door closes, before there is an answer. */
function waitEnds(response: ServerResponse, closing: AbortSignal): AbortSignal {
	const hungUp = new AbortController();
	response.once('close', () => hungUp.abort());
	return AbortSignal.any([hungUp.signal, closing]);
}

/**
 * A denied call that a grant or a person may let run: 303 with the ticket's place, or the gate's own output when
 * neither can. A caller that cannot poll waits on this very request.
 */
export async function holdForPerson(
	response: ServerResponse,
	opening: Promise<TicketStub | null>,
	own: Output,
	tickets: DoorTickets,
	{ polls, closing }: { polls: boolean; closing: AbortSignal },
): Promise<void> {
	const signal = waitEnds(response, closing);
	const ticket = await opening;
	if (ticket === null) return answerWithOutput(response, own);
	if (polls) return answerWithTicket(response, ticket, own);
	const outcome = await tickets.wait(ticket.id, signal);
	if (!response.destroyed) answerWithOutput(response, outcome.kind === 'answer' ? outcome.output : own);
}

/** The long poll: 200 once a person has decided, 410 when nobody did in time, 404 or 503 when there is no answer. */
export async function waitForPerson(
	response: ServerResponse,
	ticketId: string,
	tickets: DoorTickets,
	closing: AbortSignal,
): Promise<void> {
	const outcome = await tickets.wait(ticketId, waitEnds(response, closing));
	if (response.destroyed) return;
	switch (outcome.kind) {
		case 'answer':
			return answerWithOutput(response, outcome.output);
		case 'over':
			return answerWithText(response, 410, 'Nobody decided in time.');
		case 'unknown':
			return answerWithText(response, 404, 'There is no such ticket.');
		case 'stopping':
		case 'hung-up':
			return answerWithText(response, 503, 'The server is stopping.');
	}
}
