import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { runFromHeaders } from '#hooks-bridge/door/hook-run.ts';
import type { Ports } from '#hooks-bridge/ports/ports.ts';
import { heldReview, readReviewRequest } from '#hooks-bridge/supervisor/hold-review.ts';
import { printable } from '#lib/text/printable.ts';
import { answerWithOutput, answerWithText, answerWithTicket } from './exchange.ts';
import type { DoorTickets } from './tickets.ts';

/** Where a supervisor's hook asks for a ticket, and below it gives one back. */
export const REVIEW_PATH = '/reviews';

/**
 * `POST /reviews`: a ticket for a review that runs in the hook's own process, so that a person may end it, or for its
 * denial, so that a person may override it. It records and asks; the verdict is the hook's (DESIGN 5 and 6).
 */
export async function openReview(
	request: IncomingMessage,
	body: string,
	response: ServerResponse,
	{ tickets, ports }: { tickets: DoorTickets; ports: Ports },
): Promise<void> {
	const { run, named } = runFromHeaders(request.headers, randomUUID());
	const asked = named ? readReviewRequest(body) : null;
	if (!asked) return answerWithText(response, 400, 'Only a hook under the supervisor profile opens a review.');
	const held = heldReview(asked, run, ports);
	if (!held) return answerWithText(response, 400, 'Only a stop or a question to the person is reviewed.');
	const remaining = Math.floor(asked.ms / 1000);
	const ticket =
		asked.denied === undefined
			? await tickets.openReview(held, asked.ms)
			: await tickets.take({ held: { ...held, run: { ...run, timeoutSeconds: remaining } }, keys: [], polls: true });
	if (!ticket) return answerWithOutput(response, null);
	answerWithTicket(response, ticket, null);
}

/** `POST /reviews/:id`: the review is over. 200 with what a person decided first, else 410. */
export async function closeReview(
	ticketId: string,
	how: string,
	response: ServerResponse,
	tickets: DoorTickets,
): Promise<void> {
	const outcome = await tickets.closeReview(ticketId, `the review ended: ${printable(how, 100)}`);
	if (outcome.kind === 'answer') return answerWithOutput(response, outcome.output);
	answerWithText(response, 410, 'Nobody has decided this review.');
}
