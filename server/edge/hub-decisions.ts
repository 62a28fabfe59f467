import { hash } from 'node:crypto';
import type { EdgeLevel } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord, GrantSource } from '#lib/contract/approvals/grants.ts';
import { AppError, type ErrorCode } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import {
	type CommandRefusal,
	DecisionCommand,
	GrantCommand,
	type GrantCreation,
	type HubDecider,
	MAX_VALID_MS,
} from '#lib/contract/hub/hub-commands.ts';
import { gateById } from '#lib/gates/gate-table.ts';
import { scopesWithin } from '#lib/grants/covers.ts';
import { findEntry } from '#lib/hub/roster.ts';
import { canonicalJson } from '#lib/json/json.ts';
import { PROMPTS } from '#lib/settings/named-lists.ts';
import type { Settings } from '#lib/settings/settings.ts';
import { accessIdOf } from '../access/principal.ts';
import type { ApprovalService } from '../approvals/approval-service.ts';
import { type Deciding, decideAndRemember, type GrantService } from '../approvals/grants/grant-service.ts';
import { demandDecided, type GrantSubject } from '../approvals/grants/grant-subject.ts';
import { decisionDigest, grantDigest, isPasskeySignatureOf } from '../hub-protocol/signatures.ts';
import type { Membership } from './membership.ts';
import type { HubLease, OpenTickets } from './open-tickets.ts';
import { isSignedEntry, type RosterCache } from './roster-cache.ts';
import { type CommandHandler, type CommandOutcome, refusal } from './run-commands.ts';

const LEEWAY_MS = 60_000;
const FORGOTTEN_REACH = 200;

type GrantRevocation = Extract<GrantCommand, { action: 'revoke' }>;

/** What the machine itself gives to decisions from its hub. */
export interface DecisionServices {
	service: Deciding & Pick<ApprovalService, 'waiting'>;
	grants: Pick<GrantService, 'create' | 'get' | 'list' | 'revoke' | 'guardHubGrants'>;
	lease: HubLease;
	settings: () => HubSettings;
	/** What a grant for a denied call would cover. Rejects with AppError if there is no such call. */
	subjectOf: (source: GrantSource) => Promise<GrantSubject>;
}

interface HubDecisionOptions extends Omit<DecisionServices, 'lease'>, Pick<Membership, 'edge' | 'team' | 'root'> {
	origin: string;
	tickets: OpenTickets;
	level: () => EdgeLevel;
	roster: Pick<RosterCache, 'current'>;
	isShared: (sessionId: string) => boolean;
	projectOf: (sessionId: string) => string | null;
	rowOf: (subject: string) => number;
	joinedAt: string | undefined;
	isMember: () => boolean;
	isRefused: () => boolean;
	now: () => number;
}

interface Proven {
	who: HubDecider;
	proof: Parameters<typeof deciderAt>[2];
}

/** What people at the hub decide about this machine's calls, as far as its owner allows it. */
export class HubDecisions {
	readonly #options: HubDecisionOptions;

	constructor(options: HubDecisionOptions) {
		this.#options = options;
		options.grants.guardHubGrants(() => this.#checkGrants());
	}

	/** The decision must name this edge's ticket as it waits now; the approval service does the rest. */
	readonly decide: CommandHandler = async (body, n) => {
		const read = DecisionCommand.safeParse(body);
		if (!read.success) return refusal('decision/form');
		const command = read.data;
		const why = this.#whyWrongTicket(command);
		if (why !== null) return refusal(why);
		const { service, grants, tickets, origin, rowOf } = this.#options;
		const { ticket, said } = command;
		if (!tickets.find(ticket)) return this.#outcomeOfClosed(command, n);
		const proven = await this.#prove(command, decisionDigest(command, origin), service.get(ticket)?.sessionId);
		if (typeof proven === 'string') return refusal(proven);
		// The nonce is used up, whether the decision succeeded or not.
		tickets.dropNonce(ticket);
		const whyNotAllowed = this.#whyNotAllowed(command);
		if (whyNotAllowed !== null) return refusal(whyNotAllowed);
		const by = deciderAt(origin, proven.who, proven.proof, n);
		const refused = await refusalBy(() => decideAndRemember({ service, grants }, ticket, said, by));
		return { ...(refused ?? { state: 'done' }), journal: rowOf(ticket) };
	};

	readonly grant: CommandHandler = async (body, n) => {
		const read = GrantCommand.safeParse(body);
		if (!read.success || read.data.edge !== this.#options.edge) return refusal('grant/form');
		return read.data.action === 'create' ? this.#createGrant(read.data, n) : this.#revokeGrant(read.data, n);
	};

	/** Revoking only tightens, so the hub that the grant came from may revoke it without a passkey. */
	async #revokeGrant({ grant: id, person, reason }: GrantRevocation, n: number): Promise<CommandOutcome> {
		const { origin, grants, rowOf } = this.#options;
		const grant = grants.get(id);
		if (!grant) return refusal('grant/not-found');
		if (grant.by.hub?.origin !== origin) return refusal('grant/of-machine');
		const by = deciderAt(origin, person, { level: 'hub' }, n);
		const refused = await refusalBy(() => grants.revoke(id, reason === undefined ? {} : { reason }, by));
		// An ended grant is what the hub wants.
		return refused && refused.why !== 'grant/ended' ? refused : { state: 'done', journal: rowOf(id) };
	}

	/** Allows later calls like one that was denied, as its owner's page would; a call that waits is decided first. */
	async #createGrant(command: GrantCreation, n: number): Promise<CommandOutcome> {
		const { origin, service, grants, isShared, subjectOf, settings, rowOf } = this.#options;
		const { scope, expiresInSeconds, reason, ...source } = command.said;
		const why = this.#whyNotValid(command);
		if (why !== null) return refusal(why);
		const approval = source.approvalId === undefined ? null : service.get(source.approvalId);
		const proven = await this.#prove(command, grantDigest(command, origin), approval?.sessionId ?? source.sessionId);
		if (typeof proven === 'string') return refusal(proven);
		const { hubMayGrant, hubNeverRemote, observe } = settings();
		if (!scopesWithin(hubMayGrant).includes(scope)) return refusal('grant/at-machine');
		if (observe) return refusal('approval/observed');
		let grantId = '';
		const refused = await refusalBy(async () => {
			const subject = await subjectOf(source);
			// What is not shared does not exist for the hub.
			if (!isShared(subject.call.sessionId)) throw new AppError('grant/no-denial');
			demandDecided(source, { approval: service.get });
			if (isNeverRemote(hubNeverRemote, approval ?? { denials: subject.covers }))
				throw new AppError('hub/never-remote');
			const earlier = this.#earlierGrant(subject);
			if (earlier && earlier.by.hub?.command !== n) throw new AppError('grant/repeated');
			const by = deciderAt(origin, proven.who, proven.proof, n);
			const terms = { scope, reason, ...(expiresInSeconds !== undefined && { expiresInSeconds }) };
			grantId = (earlier ?? (await grants.create(subject, terms, by))).id;
		});
		return refused ?? { state: 'done', journal: rowOf(grantId) };
	}

	/** Why a grant made at the hub is void: it ends with the membership, the owner's permission, or its author's place in the roster. */
	#checkGrants(): (grant: GrantRecord) => string | undefined {
		const { origin, team, joinedAt = '', isMember, isRefused, projectOf } = this.#options;
		const hasLeft = 'this machine has left the hub that it came from';
		if (!isMember()) return () => hasLeft;
		const { hubMayGrant, hubNeverRemote } = this.#options.settings();
		const [level, roster, now] = [this.#options.level(), this.#options.roster.current(), this.#options.now()];
		return ({ by: { hub }, scope, covers, sessionId, createdAt }) => {
			if (hub?.origin !== origin || createdAt < joinedAt) return hasLeft;
			if (isRefused()) return 'the hub has sent this machine away';
			const isAllowed =
				scopesWithin(hubMayGrant).includes(scope) && !isNeverRemote(hubNeverRemote, { denials: covers });
			if (level === 'watch' || !isAllowed) return 'the owner of this machine does not let the hub allow it any more';
			// The hub itself revokes grants of people who may no longer give them.
			if (level === 'hub') return;
			if (hub.level !== 'passkey') return 'the owner of this machine wants a passkey for what the hub allows';
			const passkey = roster?.entries.find(({ entry }) => passkeyMark(entry.passkey.id) === hub.passkey)?.entry.passkey;
			const target = {
				team,
				// Read only for people who may decide in single projects.
				get project() {
					return projectOf(sessionId);
				},
			};
			const found = findEntry(roster, { credential: passkey?.id ?? '', person: hub, place: target, now });
			return typeof found === 'string' ? 'who allowed it is not in the roster of the hub any more' : undefined;
		};
	}

	#whyNotValid({ expires }: GrantCreation): CommandRefusal | ErrorCode | null {
		const { level, now } = this.#options;
		if (level() === 'watch') return 'decision/watch-only';
		const left = expires - now();
		return left + LEEWAY_MS < 0 || left > MAX_VALID_MS + LEEWAY_MS ? 'grant/expired' : null;
	}

	/** A grant that the hub made for the same call so recently that this passkey answer could be a repetition. */
	#earlierGrant({ call, covers }: GrantSubject): GrantRecord | undefined {
		const since = this.#options.now() - MAX_VALID_MS - 2 * LEEWAY_MS;
		const calls = canonicalJson([call.sessionId, call.toolUseId ?? null, covers]);
		return this.#options.grants
			.list(undefined, FORGOTTEN_REACH)
			.find(
				(made) =>
					made.by.via === 'hub' &&
					Date.parse(made.createdAt) > since &&
					canonicalJson([made.sessionId, made.toolUseId ?? null, made.covers]) === calls,
			);
	}

	#whyWrongTicket({ edge, ticket, digest, nonce, expires }: DecisionCommand): CommandRefusal | null {
		const { level, now, tickets } = this.#options;
		if (edge !== this.#options.edge) return 'decision/other-edge';
		if (level() === 'watch') return 'decision/watch-only';
		if (expires + LEEWAY_MS < now()) return 'decision/expired';
		const ours = tickets.find(ticket);
		return ours && (ours.digest !== digest || ours.nonce !== nonce) ? 'decision/other-call' : null;
	}

	#whyNotAllowed({ ticket, said: { decision, remember } }: DecisionCommand): ErrorCode | null {
		const { hubMayGrant, hubNeverRemote } = this.#options.settings();
		const approval = this.#options.service.get(ticket);
		if (decision !== 'deny' && approval && isNeverRemote(hubNeverRemote, approval)) return 'hub/never-remote';
		return remember && !scopesWithin(hubMayGrant).includes(remember.scope) ? 'grant/at-machine' : null;
	}

	/** The ticket is closed, perhaps by this command before a restart. */
	#outcomeOfClosed(command: DecisionCommand, n: number): CommandOutcome {
		const { service, rowOf } = this.#options;
		const record = service.get(command.ticket);
		const journal = rowOf(command.ticket);
		if (!record) return refusal('approval/not-found');
		const why = record.by ? (record.by.hub?.command === n ? null : 'approval/decided') : 'approval/late';
		if (why !== null) return { ...refusal(why), journal };
		return this.#isForgotten(command, n) ? { ...refusal('grant/forgotten'), journal } : { state: 'done', journal };
	}

	/** The server ended after the decision and before the grant was made. */
	#isForgotten({ ticket, said: { remember } }: DecisionCommand, n: number): boolean {
		if (remember === undefined) return false;
		const made = this.#options.grants.list(undefined, FORGOTTEN_REACH);
		return !made.some(({ approvalId, by }) => approvalId === ticket && by.hub?.command === n);
	}

	/** Who decides: at level `passkey` read from the roster; the hub's word is not enough. */
	async #prove(
		{ assertion, person }: Pick<DecisionCommand, 'assertion' | 'person'>,
		digest: string,
		sessionId = '',
	): Promise<Proven | CommandRefusal> {
		const { level, root, roster, team, projectOf, now } = this.#options;
		if (level() === 'hub') return { who: person, proof: { level: 'hub' } };
		if (!assertion) return 'decision/passkey';
		if (root?.v !== 2) return 'roster/none';
		const scope = { team, project: projectOf(sessionId) };
		const found = findEntry(roster.current(), { credential: assertion.id, person, place: scope, now: now() });
		if (typeof found === 'string') return found;
		const { passkey, person: who } = found.entry;
		const isTrue = (await isSignedEntry(found, root)) && (await isPasskeySignatureOf(digest, assertion, passkey, root));
		return isTrue ? { who, proof: { level: 'passkey', passkey: passkey.id } } : 'decision/assertion';
	}
}

/** Why the service refused; null if it did not. Rejects with other errors. */
async function refusalBy(act: () => Promise<unknown>): Promise<CommandOutcome | null> {
	try {
		await act();
		return null;
	} catch (error) {
		if (!(error instanceof AppError)) throw error;
		const { code, message, denials } = error;
		return { ...refusal(code), detail: message, ...(denials && { denials: [...denials] }) };
	}
}

export const passkeyMark = (passkey: string): string => accessIdOf(hash('sha256', passkey));

export function deciderAt(
	origin: string,
	{ iss, sub, name }: HubDecider,
	proof: { level: 'hub' } | { level: 'passkey'; passkey: string },
	command: number,
): Decider {
	const access = accessIdOf(hash('sha256', JSON.stringify([origin, iss, sub])));
	const { level } = proof;
	const hub = { origin, iss, sub, level, command, ...('passkey' in proof && { passkey: passkeyMark(proof.passkey) }) };
	return { role: 'operator', via: 'hub', access, name, hub };
}

export type HubSettings = Pick<Settings, 'hubMayDecide' | 'hubMayGrant' | 'hubNeverRemote' | 'observe'>;

/** A permission prompt of the client is known by its suggestions. */
function isNeverRemote(
	names: readonly string[],
	{ denials, suggestions }: { denials: readonly { gate: string }[]; suggestions?: unknown },
): boolean {
	if (suggestions !== undefined && names.includes(PROMPTS)) return true;
	return denials.some(({ gate }) => names.includes(gateById(gate)?.setting ?? gate));
}
