import { hash, randomBytes } from 'node:crypto';
import { type AnnouncedTicket, TICKETS_A_FRAME } from '#lib/contract/hub/hub-wire.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { WaitingCall } from '../approvals/ticket-port.ts';

/** What a decision is bound to: this call at this edge, with all its denials. */
function digestOfTicket(edge: number, nonce: string, { id, held }: WaitingCall): string {
	const { sessionId, tool, inputDigest } = held;
	const rules = held.denials.map(({ gate, rule, fingerprint = null }) => ({ gate, rule, fingerprint }));
	const summary = { edge, ticket: id, nonce, session: sessionId, rules, tool, input: inputDigest };
	return hash('sha256', canonicalJson(summary));
}

export function createOpenTickets(options: {
	edge: number;
	waiting: () => readonly WaitingCall[];
	isShared: (sessionId: string) => boolean;
}) {
	const { edge, waiting, isShared } = options;
	const nonces = new Map<string, string>();
	const nonceOf = (id: string): string => {
		const nonce = nonces.get(id) ?? randomBytes(24).toString('base64url');
		nonces.set(id, nonce);
		return nonce;
	};
	const openTicketOf = (call: WaitingCall): AnnouncedTicket => {
		const nonce = nonceOf(call.id);
		return {
			id: call.id,
			digest: digestOfTicket(edge, nonce, call),
			nonce,
			leftMs: Math.max(0, Math.floor(call.leftMs)),
		};
	};
	const shared = () => waiting().filter(({ held }) => isShared(held.sessionId));

	return {
		list(): AnnouncedTicket[] {
			const open = shared().slice(-TICKETS_A_FRAME);
			const ids = new Set(open.map(({ id }) => id));
			for (const id of nonces.keys()) if (!ids.has(id)) nonces.delete(id);
			return open.map(openTicketOf);
		},
		find(id: string): AnnouncedTicket | undefined {
			const call = shared().find((each) => each.id === id);
			return call && openTicketOf(call);
		},
		dropNonce: (id: string) => void nonces.delete(id),
	};
}

export type OpenTickets = ReturnType<typeof createOpenTickets>;

/** Expires unless the hub renews it. `monotonicNow` in ms. */
export function createHubLease(monotonicNow: () => number = () => performance.now()) {
	let until = Number.NEGATIVE_INFINITY;
	return {
		renew(ms: number): void {
			until = monotonicNow() + ms;
		},
		isRunning: () => monotonicNow() < until,
	};
}

export type HubLease = ReturnType<typeof createHubLease>;
