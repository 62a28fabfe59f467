import type { ServerResponse } from 'node:http';
import type { TicketPlace, TicketStub } from '../approvals/ticket-place.ts';
import { answerWithOutput, answerWithText, answerWithTicket } from './reply.ts';

type Output = Record<string, unknown> | null;

/** Aborts when the other side hangs up before it has its answer. */
function hangUp(response: ServerResponse): AbortSignal {
	const controller = new AbortController();
	response.once('close', () => controller.abort());
	return controller.signal;
}

/**
 * A denial that a person may overrule: 303 with the ticket's place, or at once the gate's own output when
 * nobody can be asked. A caller that cannot poll waits on this very request.
 */
export async function holdForPerson(
	response: ServerResponse,
	opening: Promise<TicketStub | null>,
	own: Output,
	desk: TicketPlace,
	polls: boolean,
): Promise<void> {
	const signal = hangUp(response);
	const ticket = await opening;
	if (ticket === null) return answerWithOutput(response, own);
	if (polls) return answerWithTicket(response, `/tickets/${ticket.id}`, own);
	const outcome = await desk.wait(ticket.id, signal);
	if (outcome.kind !== 'hung-up') answerWithOutput(response, outcome.kind === 'answer' ? outcome.output : own);
}

/** The long poll: 200 once a person has decided, 410 when nobody did in time, 404 or 503 when there is no answer. */
export async function waitForPerson(response: ServerResponse, ticketId: string, desk: TicketPlace): Promise<void> {
	const outcome = await desk.wait(ticketId, hangUp(response));
	switch (outcome.kind) {
		case 'answer':
			return answerWithOutput(response, outcome.output);
		case 'over':
			return answerWithText(response, 410, 'Nobody decided in time.');
		case 'unknown':
			return answerWithText(response, 404, 'There is no such ticket.');
		case 'stopping':
			return answerWithText(response, 503, 'The server is stopping.');
		case 'hung-up':
			return;
	}
}
