import type { TicketOutcome, TicketStub } from '../approvals/ticket-port.ts';
import type { Ask, AskResult, FromDoor, ToDoor } from './door-port.ts';
import type { DoorTickets } from './tickets.ts';

/** Hooks that may wait for the other thread at once; of more the gates' own answer stands. */
const MOST_ASKS = 5000;

interface Asking {
	resolve(result: AskResult): void;
	reject(error: Error): void;
}

/** The tickets as the door's thread has them: each question goes to the other thread, and `settle` brings its answer. */
export function askTickets(send: (message: FromDoor) => void) {
	const asking = new Map<number, Asking>();
	let last = 0;

	/** Rejects with what failed on the other side. */
	function ask(question: Ask, signal?: AbortSignal): Promise<AskResult> {
		const n = ++last;
		return new Promise((resolve, reject) => {
			asking.set(n, { resolve, reject });
			send({ is: 'ask', n, ask: question });
			const hangUp = () => send({ is: 'hung-up', n });
			if (signal?.aborted) hangUp();
			else signal?.addEventListener('abort', hangUp, { once: true });
		});
	}
	const askTicket = (question: Ask) => ask(question) as Promise<TicketStub | null>;
	const askOutcome = (question: Ask, signal?: AbortSignal) => ask(question, signal) as Promise<TicketOutcome>;

	const tickets: DoorTickets = {
		take: (wanted) => (asking.size < MOST_ASKS ? askTicket({ what: 'take', wanted }) : undefined),
		openReview: (held, ms) => askTicket({ what: 'open-review', held, ms }),
		closeReview: (ticketId, reason) => askOutcome({ what: 'close-review', ticketId, reason }),
		wait: (ticketId, signal) => askOutcome({ what: 'wait', ticketId }, signal),
	};
	return {
		tickets,
		settle(message: Extract<ToDoor, { is: 'answer' | 'failed' }>) {
			const waiting = asking.get(message.n);
			asking.delete(message.n);
			if (message.is === 'answer') waiting?.resolve(message.result);
			else waiting?.reject(message.error);
		},
	};
}
