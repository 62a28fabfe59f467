import { hash } from 'node:crypto';
import type { Decider } from '#lib/contract/catalogue/approval.ts';
import type { EdgeLevel } from '#lib/contract/edge-level.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { ApprovalRecord, DecisionBody } from '#lib/contract/http.ts';
import { DecisionCommand, type HubDecider } from '#lib/contract/hub-decision.ts';
import type { CommandRefusal } from '#lib/contract/hub-refusal.ts';
import type { RootDocument } from '#lib/contract/hub-wire.ts';
import { findEntry } from '#lib/hub/roster.ts';
import { accessIdOf } from '../auth/principal.ts';
import type { OpenTickets } from './open-tickets.ts';
import { isAnswerTo } from './passkey-answer.ts';
import { isSignedEntry, type RosterKeeper } from './roster-keeper.ts';
import { decisionDigest } from './roster-proof.ts';
import { type CommandHandler, type CommandOutcome, refusal } from './take-commands.ts';

/** The clocks of hub and edge may be so far apart. */
const LEEWAY_MS = 60_000;

/** The part of the approval desk that decides. */
export interface HubDesk {
	decide(approvalId: string, body: DecisionBody, by: Decider): Promise<ApprovalRecord>;
	get(approvalId: string): ApprovalRecord | null;
}

export interface DecisionHandlerOptions {
	edge: number;
	/** Of the hub: persons are known by it. */
	origin: string;
	desk: HubDesk;
	tickets: OpenTickets;
	level: () => EdgeLevel;
	/** What a passkey's answer is held against; without it none counts. */
	people?: DecidingPeople | undefined;
	/** The newest row of the journal about a subject; 0: there is none. */
	rowOf: (subject: string) => number;
	/** Milliseconds since the epoch. */
	now: () => number;
}

/** Who may decide where, and what vouches for that. */
export interface DecidingPeople {
	root: RootDocument | undefined;
	roster: Pick<RosterKeeper, 'kept'>;
	/** Of the edge; sessions say their project. */
	team: string;
	projectOf: (sessionId: string) => string | null;
}

/**
 * Decides for a person at the hub, if the machine's owner lets them: what was decided must be this edge's own ticket as it
 * waits now. The rest is the ordinary desk: the first answer wins, and gates judge again.
 */
export function createDecisionHandler(options: DecisionHandlerOptions): CommandHandler {
	const { edge, desk, tickets, rowOf } = options;

	/** Why it is not even tried. */
	function whyNot({ ticket, digest, nonce, expires, ...said }: DecisionCommand): CommandRefusal | null {
		if (said.edge !== edge) return 'decision/other-edge';
		const level = options.level();
		if (level === 'watch') return 'decision/watch-only';
		if (expires + LEEWAY_MS < options.now()) return 'decision/expired';
		const ours = tickets.find(ticket);
		return ours && (ours.digest !== digest || ours.nonce !== nonce) ? 'decision/other-call' : null;
	}

	/** Whose passkey stands for this, as the roster names them; else why none does. The hub's word is not asked for. */
	async function whoAnswers(said: DecisionCommand): Promise<HubDecider | CommandRefusal> {
		const { assertion, ticket, person } = said;
		const { root, roster, team, projectOf } = options.people ?? {};
		if (!assertion) return 'decision/passkey';
		if (root?.v !== 2 || team === undefined) return 'roster/none';
		const place = { team, project: projectOf?.(desk.get(ticket)?.sessionId ?? '') ?? null };
		const found = findEntry(roster?.kept(), { credential: assertion.id, person, place, now: options.now() });
		if (typeof found === 'string') return found;
		const { passkey, person: named } = found.entry;
		const isTrue =
			(await isSignedEntry(found, root)) &&
			(await isAnswerTo(decisionDigest(said, root.origin), assertion, passkey, root));
		return isTrue ? named : 'decision/assertion';
	}

	async function decide(said: DecisionCommand, n: number): Promise<CommandOutcome> {
		const { ticket } = said;
		if (!tickets.find(ticket)) return tellEnd(desk.get(ticket), n, rowOf(ticket));
		const level = options.level() === 'hub' ? 'hub' : 'passkey';
		const who = level === 'hub' ? said.person : await whoAnswers(said);
		if (typeof who === 'string') return refusal(who);
		// Whatever comes of it: nobody else gets a second try with what this person said.
		tickets.renew(ticket);
		try {
			await desk.decide(ticket, said.said, deciderAt(options.origin, who, level, n));
			return { state: 'done', journal: rowOf(ticket) };
		} catch (error) {
			if (!(error instanceof AppError)) throw error;
			const { code, message, denials } = error;
			return { ...refusal(code), detail: message, ...(denials && { denials: [...denials] }), journal: rowOf(ticket) };
		}
	}

	return async (body, n) => {
		const read = DecisionCommand.safeParse(body);
		if (!read.success) return refusal('decision/form');
		const why = whyNot(read.data);
		return why === null ? decide(read.data, n) : refusal(why);
	};
}

/** Nobody waits any more: perhaps since this very command was done before the server was started again. */
function tellEnd(record: ApprovalRecord | null, n: number, journal: number): CommandOutcome {
	if (!record) return refusal('approval/not-found');
	if (record.by?.hub?.command === n) return { state: 'done', journal };
	return { ...refusal(record.by ? 'approval/decided' : 'approval/late'), journal };
}

function deciderAt(origin: string, { iss, sub, name }: HubDecider, level: 'hub' | 'passkey', command: number): Decider {
	const access = accessIdOf(hash('sha256', JSON.stringify([origin, iss, sub])));
	return { role: 'operator', via: 'hub', access, name, hub: { origin, iss, sub, level, command } };
}
