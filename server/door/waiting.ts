import type { ServerResponse } from 'node:http';
import type { TicketStub } from '../approvals/ticket-port.ts';
import { answerWithOutput, answerWithText, answerWithTicket } from './reply.ts';
import type { DoorTickets } from './tickets.ts';

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
