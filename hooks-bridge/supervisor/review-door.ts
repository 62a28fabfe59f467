import type { HookDecision } from '#lib/contract/events/catalogue/judgement.ts';
import { parsedObject } from '#lib/json/json.ts';
import type { AgentAdapter } from '../agents/agent-adapter.ts';
import { sendToDoor } from '../door/door-client.ts';
import type { ReviewRequest } from './hold-review.ts';

/** A ticket for a review, with which a person may end it. */
export interface ReviewTicket {
	/** Resolves with the person's answer, or null if none will come. */
	decided: Promise<HookDecision | null>;
	/** Closes the ticket; if a person decided before, returns their answer. */
	close(outcome: string): Promise<HookDecision | null>;
}

const OPEN_MS = 5000;
const CLOSE_MS = 3000;
const TICKET_PATH = /^\/tickets\/[\w-]+$/;

/** The door behind a socket. `headers` are the hook's own. Its failures never reach the review. */
export function createReviewDoor(
	socketPath: string,
	headers: Readonly<Record<string, string>>,
	{ readPrinted }: Pick<AgentAdapter, 'readPrinted'>,
) {
	const send = (method: string, path: string, text: string, ms: number, signal?: AbortSignal) =>
		sendToDoor(socketPath, { method, path, text, headers, ms, ...(signal && { signal }) }).catch(() => null);

	const decisionOf = ({ status, text }: { status: number; text: string }): HookDecision | null => {
		const output = status === 200 ? parsedObject(text) : undefined;
		return output ? readPrinted(output) : null;
	};

	return {
		/** Returns null without a server, or if no person can be asked. */
		async open(request: ReviewRequest) {
			const opened = await send('POST', '/reviews', JSON.stringify(request), OPEN_MS);
			if (opened?.status !== 303 || !TICKET_PATH.test(opened.location)) return null;
			const { location } = opened;
			const polling = new AbortController();
			const decided = send('GET', location, '', request.ms + CLOSE_MS, polling.signal).then(
				(answer) => answer && decisionOf(answer),
			);
			return {
				decided,
				async close(outcome: string) {
					const closed = await send('POST', `/reviews${location.slice('/tickets'.length)}`, outcome, CLOSE_MS);
					polling.abort();
					return closed && decisionOf(closed);
				},
			};
		},
	};
}

export type ReviewDoor = ReturnType<typeof createReviewDoor>;
