import type { HeldCall, HookAnswer } from '#hooks-bridge/ports/ports.ts';
import type { TicketPort, TicketStub } from '../approvals/ticket-port.ts';

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
