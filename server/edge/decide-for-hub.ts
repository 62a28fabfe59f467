import { hash } from 'node:crypto';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { DecisionCommand, type HubDecider } from '#lib/contract/hub/hub-decision.ts';
import { GrantCommand } from '#lib/contract/hub/hub-grants.ts';
import type { CommandRefusal } from '#lib/contract/hub/hub-refusal.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { scopesWithin } from '#lib/grants/covers.ts';
import { isNeverRemote } from '#lib/hub/never-remote.ts';
import { findEntry } from '#lib/hub/roster.ts';
import { tell } from '#lib/messages/tell.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { accessIdOf } from '../access/principal.ts';
import {
	type Deciding,
	decideAndRemember,
	type GrantService,
	type HubGrantGuard,
} from '../approvals/grants/grant-service.ts';
import type { OpenTickets } from './open-tickets.ts';
import { isSignedEntry, type RosterCache } from './roster-cache.ts';
import { decisionDigest, isAnswerTo } from './signed-document.ts';
import { type CommandHandler, type CommandOutcome, refusal } from './take-commands.ts';

/** The clocks of hub and edge may be so far apart. */
const LEEWAY_MS = 60_000;
/** A command whose answer the hub has lost is one of the last. */
const FORGOTTEN_REACH = 200;

export interface DecisionHandlerOptions {
	edge: number;
	/** Of the hub: persons are known by it. */
	origin: string;
	service: Deciding;
	grants: Pick<GrantService, 'create' | 'list'>;
	tickets: OpenTickets;
	level: () => EdgeLevel;
	settings: () => HubSettings;
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
	roster: Pick<RosterCache, 'kept'>;
	/** Of the edge; sessions say their project. */
	team: string;
	projectOf: (sessionId: string) => string | null;
}

/**
 * Decides for a person at the hub, if the machine's owner lets them: what was decided must be this edge's own ticket as it
 * waits now. The rest is the ordinary service: the first answer wins, and gates judge again.
 */
export function createDecisionHandler(options: DecisionHandlerOptions): CommandHandler {
	const { edge, service, grants, tickets, rowOf } = options;

	/** Why it is not even tried. */
	function whyNot({ ticket, digest, nonce, expires, ...said }: DecisionCommand): CommandRefusal | null {
		if (said.edge !== edge) return 'decision/other-edge';
		const level = options.level();
		if (level === 'watch') return 'decision/watch-only';
		if (expires + LEEWAY_MS < options.now()) return 'decision/expired';
		const ours = tickets.find(ticket);
		return ours && (ours.digest !== digest || ours.nonce !== nonce) ? 'decision/other-call' : null;
	}

	/** Why its owner does not let this be said of the call from the hub, whoever says it. */
	function whyNotLet({ ticket, said: { decision, remember } }: DecisionCommand): ErrorCode | null {
		const { hubMayGrant, hubNeverRemote } = options.settings();
		const asked = service.get(ticket);
		if (decision !== 'deny' && asked && isNeverRemote(hubNeverRemote, asked)) return 'hub/never-remote';
		return remember && !scopesWithin(hubMayGrant).includes(remember.scope) ? 'grant/at-machine' : null;
	}

	/** Whether this command was to make a grant, and made none: the server was ended between the two. */
	const isForgotten = ({ ticket, said }: DecisionCommand, n: number): boolean =>
		said.remember !== undefined &&
		!grants
			.list(undefined, FORGOTTEN_REACH)
			.some(({ approvalId, by }) => approvalId === ticket && by.hub?.command === n);

	/** Nobody waits any more: perhaps since this very command was done before the server was started again. */
	function tellEnd(said: DecisionCommand, n: number): CommandOutcome {
		const record = service.get(said.ticket);
		const journal = rowOf(said.ticket);
		if (!record) return refusal('approval/not-found');
		const why = record.by ? (record.by.hub?.command === n ? null : 'approval/decided') : 'approval/late';
		if (why !== null) return { ...refusal(why), journal };
		return isForgotten(said, n) ? { ...refusal('grant/forgotten'), journal } : { state: 'done', journal };
	}

	/** Whose passkey stands for this, as the roster names them; else why none does. The hub's word is not asked for. */
	async function whoAnswers(said: DecisionCommand): Promise<Proven | CommandRefusal> {
		const { assertion, ticket, person } = said;
		const { root, roster, team, projectOf } = options.people ?? {};
		if (!assertion) return 'decision/passkey';
		if (root?.v !== 2 || team === undefined) return 'roster/none';
		const place = { team, project: projectOf?.(service.get(ticket)?.sessionId ?? '') ?? null };
		const found = findEntry(roster?.kept(), { credential: assertion.id, person, place, now: options.now() });
		if (typeof found === 'string') return found;
		const { passkey, person: named } = found.entry;
		const isTrue =
			(await isSignedEntry(found, root)) &&
			(await isAnswerTo(decisionDigest(said, root.origin), assertion, passkey, root));
		return isTrue ? { who: named, proof: { level: 'passkey', passkey: passkey.id } } : 'decision/assertion';
	}

	async function decide(said: DecisionCommand, n: number): Promise<CommandOutcome> {
		const { ticket } = said;
		if (!tickets.find(ticket)) return tellEnd(said, n);
		const proven: Proven | CommandRefusal =
			options.level() === 'hub' ? { who: said.person, proof: { level: 'hub' } } : await whoAnswers(said);
		if (typeof proven === 'string') return refusal(proven);
		// Whatever comes of it: nobody else gets a second try with what this person said.
		tickets.renew(ticket);
		const why = whyNotLet(said);
		if (why !== null) return refusal(why);
		try {
			const by = deciderAt(options.origin, proven.who, proven.proof, n);
			await decideAndRemember({ service, grants }, ticket, said.said, by);
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

/** Who it is, and what stands for that. */
interface Proven {
	who: HubDecider;
	proof: Parameters<typeof deciderAt>[2];
}

/**
 * Takes back a grant for a person at the hub that it came from. It lets less run than before, so the hub's word is enough,
 * whatever the machine's owner lets it decide.
 */
export function createGrantEnding(options: {
	edge: number;
	/** Of the hub. */
	origin: string;
	grants: Pick<GrantService, 'get' | 'revoke'>;
	/** The newest row of the journal about a subject; 0: there is none. */
	rowOf: (subject: string) => number;
}): CommandHandler {
	const { edge, origin, grants, rowOf } = options;
	return async (body, n) => {
		const read = GrantCommand.safeParse(body);
		if (!read.success || read.data.edge !== edge) return refusal('grant/form');
		const { grant: id, person, reason } = read.data;
		const grant = grants.get(id);
		if (!grant) return refusal('grant/not-found');
		if (grant.by.hub?.origin !== origin) return refusal('grant/of-machine');
		const by = deciderAt(origin, person, { level: 'hub' }, n);
		try {
			await grants.revoke(id, reason === undefined ? {} : { reason }, by);
		} catch (error) {
			// What is over already is as the hub wants it.
			if (!(error instanceof AppError) || error.code !== 'grant/ended') throw error;
		}
		return { state: 'done', journal: rowOf(id) };
	};
}

/** How the journal knows a passkey of somebody at the hub. */
export const markOf = (passkey: string): string => accessIdOf(hash('sha256', passkey));

/** Who says something at the hub, as the machine's journal names them: a command of theirs, and how far the hub was believed. */
export function deciderAt(
	origin: string,
	{ iss, sub, name }: HubDecider,
	proof: { level: 'hub' } | { level: 'passkey'; passkey: string },
	command: number,
): Decider {
	const access = accessIdOf(hash('sha256', JSON.stringify([origin, iss, sub])));
	const { level } = proof;
	const hub = { origin, iss, sub, level, command, ...('passkey' in proof && { passkey: markOf(proof.passkey) }) };
	return { role: 'operator', via: 'hub', access, name, hub };
}

/** What `config.json` and the hub's policy let people do from there, whatever the level is. */
export type HubSettings = Pick<Settings, 'hubMayDecide' | 'hubMayGrant' | 'hubNeverRemote'>;

/** What a grant of the hub stands on. */
interface HubGrantBasis {
	/** Of the hub. */
	origin: string;
	/** Of the machine. */
	team: string;
	/** The home still is the edge as which it was started. */
	isMember: () => boolean;
	/** ISO: when it joined or left last, as its journal has it. */
	joinedAt: string | undefined;
	/** The hub has said that it does not count this machine as its own any more. */
	isSentAway: () => boolean;
	level: () => EdgeLevel;
	settings: () => HubSettings;
	roster: Pick<RosterCache, 'kept'>;
	projectOf: (sessionId: string) => string | null;
	/** ms since 1970. */
	now: () => number;
}

/**
 * Says why a grant that was made at the hub does not stand any more: it never outlives the membership, the word of the
 * machine's owner, or its person's place in the roster.
 */
export function createHubGrantGuard(ground: HubGrantBasis): HubGrantGuard {
	const { origin, team, joinedAt = '', projectOf } = ground;

	function whyNotLet(
		{ scope, covers }: GrantRecord,
		{ level: by }: HubProof,
		{ level, settings }: HubTrust,
	): string | undefined {
		const { hubMayGrant, hubNeverRemote } = settings;
		const isLet = scopesWithin(hubMayGrant).includes(scope) && !isNeverRemote(hubNeverRemote, { denials: covers });
		if (level === 'watch' || !isLet) return tell('the owner of this machine does not let the hub allow it any more');
		return level === 'passkey' && by !== 'passkey'
			? tell('the owner of this machine wants a passkey for what the hub allows')
			: undefined;
	}

	/** Where the hub is believed, it takes back by itself what somebody allowed who may not any more. */
	function whyNotInRoster(
		{ sessionId }: GrantRecord,
		{ iss, sub, passkey }: HubProof,
		{ level, roster, now }: HubTrust,
	): string | undefined {
		if (level !== 'passkey') return undefined;
		const entry = roster?.entries.find((one) => markOf(one.entry.passkey.id) === passkey)?.entry;
		const place = {
			team,
			// Only who decides in single projects has a timeline opened for it.
			get project() {
				return projectOf(sessionId);
			},
		};
		const asked = { credential: entry?.passkey.id ?? '', person: { iss, sub }, place, now };
		return typeof findEntry(roster, asked) === 'string'
			? tell('who allowed it is not in the roster of the hub any more')
			: undefined;
	}

	return () => {
		const hasLeft = tell('this machine has left the hub that it came from');
		if (!ground.isMember()) return () => hasLeft;
		const [level, settings, roster, now] = [ground.level(), ground.settings(), ground.roster.kept(), ground.now()];
		const standing = { level, settings, roster, now };
		return (grant) => {
			const { hub } = grant.by;
			if (hub?.origin !== origin || grant.createdAt < joinedAt) return hasLeft;
			if (ground.isSentAway()) return tell('the hub has sent this machine away');
			return whyNotLet(grant, hub, standing) ?? whyNotInRoster(grant, hub, standing);
		};
	};
}

type HubProof = NonNullable<Decider['hub']>;

/** How the machine stands with its hub at one moment. */
interface HubTrust {
	level: EdgeLevel;
	settings: HubSettings;
	roster: ReturnType<RosterCache['kept']>;
	/** ms since 1970. */
	now: number;
}
