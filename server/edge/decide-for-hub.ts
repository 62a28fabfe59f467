import { hash } from 'node:crypto';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { type CommandRefusal, DecisionCommand, GrantCommand, type HubDecider } from '#lib/contract/hub/hub-commands.ts';
import type { RootDocument } from '#lib/contract/hub/hub-wire.ts';
import { gateById } from '#lib/gates/gate-table.ts';
import { scopesWithin } from '#lib/grants/covers.ts';
import { findEntry } from '#lib/hub/roster.ts';
import { tell } from '#lib/messages/tell.ts';
import { PROMPTS } from '#lib/settings/named-lists.ts';
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
import { decisionDigest, isAnswerTo } from './signatures.ts';
import { type CommandHandler, type CommandOutcome, refusal } from './take-commands.ts';

const LEEWAY_MS = 60_000;
const FORGOTTEN_REACH = 200;

interface DecisionHandlerOptions {
	edge: number;
	origin: string;
	service: Deciding;
	grants: Pick<GrantService, 'create' | 'list'>;
	tickets: OpenTickets;
	level: () => EdgeLevel;
	settings: () => HubSettings;
	people?: DecidingPeople | undefined;
	rowOf: (subject: string) => number;
	now: () => number;
}

interface DecidingPeople {
	root: RootDocument | undefined;
	roster: Pick<RosterCache, 'kept'>;
	team: string;
	projectOf: (sessionId: string) => string | null;
}

/**
 * Decides for a person at the hub if the owner allows it: the decision must name this edge's ticket as it waits now.
 * The approval service does the rest.
 */
export function createDecisionHandler(options: DecisionHandlerOptions): CommandHandler {
	const { edge, service, grants, tickets, rowOf } = options;

	function whyNot({ ticket, digest, nonce, expires, ...command }: DecisionCommand): CommandRefusal | null {
		if (command.edge !== edge) return 'decision/other-edge';
		const level = options.level();
		if (level === 'watch') return 'decision/watch-only';
		if (expires + LEEWAY_MS < options.now()) return 'decision/expired';
		const ours = tickets.find(ticket);
		return ours && (ours.digest !== digest || ours.nonce !== nonce) ? 'decision/other-call' : null;
	}

	function whyNotLet({ ticket, said: { decision, remember } }: DecisionCommand): ErrorCode | null {
		const { hubMayGrant, hubNeverRemote } = options.settings();
		const approval = service.get(ticket);
		if (decision !== 'deny' && approval && isNeverRemote(hubNeverRemote, approval)) return 'hub/never-remote';
		return remember && !scopesWithin(hubMayGrant).includes(remember.scope) ? 'grant/at-machine' : null;
	}

	/** The server ended after the decision and before the grant was made. */
	const isForgotten = ({ ticket, said: command }: DecisionCommand, n: number): boolean =>
		command.remember !== undefined &&
		!grants
			.list(undefined, FORGOTTEN_REACH)
			.some(({ approvalId, by }) => approvalId === ticket && by.hub?.command === n);

	/** The ticket is closed, perhaps by this command before a restart. */
	function tellEnd(said: DecisionCommand, n: number): CommandOutcome {
		const record = service.get(said.ticket);
		const journal = rowOf(said.ticket);
		if (!record) return refusal('approval/not-found');
		const why = record.by ? (record.by.hub?.command === n ? null : 'approval/decided') : 'approval/late';
		if (why !== null) return { ...refusal(why), journal };
		return isForgotten(said, n) ? { ...refusal('grant/forgotten'), journal } : { state: 'done', journal };
	}

	/** Whose passkey signed this, by the roster; the hub's word is not used. */
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
		// Whatever comes of it, the nonce is used up.
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

interface Proven {
	who: HubDecider;
	proof: Parameters<typeof deciderAt>[2];
}

/** Revokes a grant for a person at the hub that it came from. It only tightens, so the hub's word is enough. */
export function createGrantEnding(options: {
	edge: number;
	origin: string;
	grants: Pick<GrantService, 'get' | 'revoke'>;
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
			// An ended grant is what the hub wants.
			if (!(error instanceof AppError) || error.code !== 'grant/ended') throw error;
		}
		return { state: 'done', journal: rowOf(id) };
	};
}

export const markOf = (passkey: string): string => accessIdOf(hash('sha256', passkey));

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

export type HubSettings = Pick<Settings, 'hubMayDecide' | 'hubMayGrant' | 'hubNeverRemote'>;

interface HubGrantBasis {
	origin: string;
	team: string;
	isMember: () => boolean;
	joinedAt: string | undefined;
	isSentAway: () => boolean;
	level: () => EdgeLevel;
	settings: () => HubSettings;
	roster: Pick<RosterCache, 'kept'>;
	projectOf: (sessionId: string) => string | null;
	now: () => number;
}

/**
 * Why a grant made at the hub is void: it ends with the membership, the owner's permission, or its author's place in
 * the roster.
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

	/** At level `hub` the hub itself takes such grants back. */
	function whyNotInRoster(
		{ sessionId }: GrantRecord,
		{ iss, sub, passkey }: HubProof,
		{ level, roster, now }: HubTrust,
	): string | undefined {
		if (level !== 'passkey') return undefined;
		const entry = roster?.entries.find((one) => markOf(one.entry.passkey.id) === passkey)?.entry;
		const place = {
			team,
			// Read only for people who may decide in single projects.
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

interface HubTrust {
	level: EdgeLevel;
	settings: HubSettings;
	roster: ReturnType<RosterCache['kept']>;
	now: number;
}

/** A permission prompt of the client is known by its suggestions. */
function isNeverRemote(
	names: readonly string[],
	{ denials, suggestions }: { denials: readonly { gate: string }[]; suggestions?: unknown },
): boolean {
	if (suggestions !== undefined && names.includes(PROMPTS)) return true;
	return denials.some(({ gate }) => names.includes(gateById(gate)?.setting ?? gate));
}
