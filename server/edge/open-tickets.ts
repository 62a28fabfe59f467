import { hash, randomBytes } from 'node:crypto';
import { type OpenTicket, TICKETS_A_FRAME } from '#lib/contract/hub/hub-wire.ts';
import { canonicalJson } from '#lib/json/json.ts';
import type { WaitingCall } from '../approvals/ticket-port.ts';

/** What waits at this edge as its hub may know it: each with a nonce that is good for one try to decide it. */
export interface OpenTickets {
	/** Those of sessions that are shared, the newest at most. */
	list(): OpenTicket[];
	/** What a decision must be bound to; undefined where the call does not wait, or is not shared. */
	find(id: string): OpenTicket | undefined;
	/** The nonce was used: the next try needs another. */
	renew(id: string): void;
}

/** The digest of what a decision is about: this call, with all that denies it, at this edge. */
export function digestOfTicket(edge: number, nonce: string, { id, held }: WaitingCall): string {
	const { sessionId, tool, inputDigest } = held;
	const rules = held.denials.map(({ gate, rule, fingerprint = null }) => ({ gate, rule, fingerprint }));
	const said = { edge, ticket: id, nonce, session: sessionId, rules, tool, input: inputDigest };
	return hash('sha256', canonicalJson(said));
}

/** Nonces live as long as the server does: so do its tickets. */
export function createOpenTickets(options: {
	edge: number;
	waiting: () => readonly WaitingCall[];
	isShared: (sessionId: string) => boolean;
}): OpenTickets {
	const { edge, waiting, isShared } = options;
	const nonces = new Map<string, string>();
	const nonceOf = (id: string): string => {
		const nonce = nonces.get(id) ?? randomBytes(24).toString('base64url');
		nonces.set(id, nonce);
		return nonce;
	};
	const told = (call: WaitingCall): OpenTicket => {
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
		list() {
			const open = shared().slice(-TICKETS_A_FRAME);
			const ids = new Set(open.map(({ id }) => id));
			for (const id of nonces.keys()) if (!ids.has(id)) nonces.delete(id);
			return open.map(told);
		},
		find(id) {
			const call = shared().find((each) => each.id === id);
			return call && told(call);
		},
		renew: (id) => void nonces.delete(id),
	};
}
