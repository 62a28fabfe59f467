import type { ServerResponse } from 'node:http';
import { UNTIL_HEADER } from '#hooks-bridge/door/door-client.ts';
import type { TicketStub } from '../approvals/ticket-port.ts';
import { provenType } from './proof.ts';

/** 200 with the one JSON object that the hook prints, or an empty 200: the hook prints nothing. */
export function answerWithOutput(response: ServerResponse, output: Record<string, unknown> | null): void {
	response.sendDate = false;
	const body = output === null ? '' : JSON.stringify(output);
	response.writeHead(200, { 'content-type': provenType(response, body), 'content-length': Buffer.byteLength(body) });
	response.end(body);
}

/** 303: the answer comes from the ticket's place; the body is what the hook prints when it gets none there. */
export function answerWithTicket(
	response: ServerResponse,
	{ id, until }: TicketStub,
	output: Record<string, unknown> | null,
): void {
	const body = output === null ? '' : JSON.stringify(output);
	response.writeHead(303, {
		location: `/tickets/${id}`,
		...(until !== undefined && { [UNTIL_HEADER]: until }),
		'content-type': provenType(response, body),
		'content-length': Buffer.byteLength(body),
	});
	response.end(body);
}

/** Any other status, with a sentence for whoever reads it. A request that was refused unread ends its connection. */
export function answerWithText(response: ServerResponse, status: number, text: string): void {
	if (status === 413) response.setHeader('connection', 'close');
	response.writeHead(status, {
		'content-type': provenType(response, text, 'text/plain; charset=utf-8'),
		'content-length': Buffer.byteLength(text),
	});
	response.end(text);
}
