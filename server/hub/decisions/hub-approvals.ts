import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { tooLateWords } from '#lib/approvals/call-words.ts';
import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import {
	DecisionCommand,
	type DecisionUnderWay,
	type HubDecider,
	RootSignature,
} from '#lib/contract/hub/hub-commands.ts';
import { isSameQuestion, scopesWithin } from '#lib/grants/covers.ts';
import { may, scopeOf } from '#lib/hub/may.ts';
import { coversScope } from '#lib/hub/roster.ts';
import type { Principal } from '../../access/principal.ts';
import { challengeIn, readPasskeyHeader } from '../../access/webauthn.ts';
import { decisionDigest, isAnswerTo } from '../../edge/signatures.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { CommandStore } from '../machines/command-store.ts';
import type { HubMeters } from '../metrics/hub-meters.ts';
import { createRosterStore } from '../policies/roster-store.ts';
import { demandDone, type MachineCommands } from './machine-commands.ts';
import type { HubTicket, TicketStore } from './ticket-store.ts';

type TicketScope = Pick<HubTicket, 'team' | 'project'>;

export interface HubReader {
	teams: readonly number[] | null;
	sees(scope: TicketScope): boolean;
	decides(place: TicketScope): boolean;
	grants(place: TicketScope): boolean;
	person: number;
	answer: AuthenticationResponseJSON | null;
}

const REACH = 2000;
const SIMILAR_REACH = 500;
const GOOD_MS = 120_000;

/** What somebody decides at the hub becomes a command to the machine; only the machine's answer counts. */
export function createHubApprovals(options: {
	ask: Ask;
	tickets: TicketStore;
	commands: CommandStore;
	identity: HubIdentity;
	machines: MachineCommands;
	meters: Pick<HubMeters, 'signalbox_hub_decision_seconds' | 'signalbox_hub_ticket_seconds'>;
	now: () => number;
}) {
	const { ask, tickets, commands, machines, identity, meters, now } = options;
	const underWay = createDecisionsUnderWay({ commands, now });
	const passkeys = createDecisionPasskeys(ask, identity, now);

	function propose(
		ticket: HubTicket,
		body: DecisionBody,
		person: HubDecider,
		proof: Partial<Pick<DecisionCommand, 'assertion' | 'expires'>>,
	): Promise<number> {
		const { edge, digest, nonce, record } = ticket;
		const { assertion } = proof;
		const what = { edge, digest, nonce, said: body, person, ...(assertion && { assertion }) };
		const expires = proof.expires ?? Math.min(now() + GOOD_MS, Date.parse(record.deadline));
		const row = { kind: 'hub:decide', subject: record.id, payload: what } as const;
		return machines.send(ticket, 'decision', row, (journal) => ({
			v: 1,
			ticket: record.id,
			...what,
			expires,
			journal,
		}));
	}

	function forReader({ teams, sees, decides, grants, person, answer }: HubReader) {
		async function list(state: ApprovalState | undefined, reach: number): Promise<ApprovalRecord[]> {
			return (await tickets.list(teams, state, reach)).filter(sees).map(({ record }) => record);
		}

		async function find(id: string): Promise<HubTicket | undefined> {
			const ticket = await tickets.find(id);
			return ticket && sees(ticket) ? ticket : undefined;
		}

		async function demandTicket(id: string, { remember }: DecisionBody) {
			const ticket = await find(id);
			if (!ticket) throw new AppError('approval/not-found');
			demandDecidable(ticket, decides(ticket) && (!remember || grants(ticket)));
			// The machine checks this itself, but an older one would not understand the request.
			if (remember && !scopesWithin(ticket.grants).includes(remember.scope)) throw new AppError('grant/at-machine');
			const known = await machines.whoIs(person);
			if (!known) throw new AppError('auth/forbidden');
			const who = { ...known, id: person };
			const before = await underWay.about(ticket);
			if (before) throw new AppError('hub/under-way', tooLateWords(underWayOf(before, ticket)));
			return { ticket, who };
		}

		return {
			async askPasskey(id: string, body: DecisionBody): Promise<PasskeyAsk | null> {
				const { ticket, who } = await demandTicket(id, body);
				return ticket.level === 'passkey' ? passkeys.askFor({ ticket, said: body, who }) : null;
			},
			list: async (state: ApprovalState | undefined, limit: number) => (await list(state, REACH)).slice(0, limit),
			async similar(record: ApprovalRecord, state: ApprovalState | undefined, limit: number) {
				const alike = (await list(state, SIMILAR_REACH)).filter((each) => isSameQuestion(record, each));
				return alike.slice(0, limit);
			},
			async underWay(): Promise<DecisionUnderWay[]> {
				const commands = await underWay.inTeams(teams);
				const found = await Promise.all(commands.map(async (one) => ({ one, ticket: await find(one.ticket) })));
				return found.flatMap(({ one, ticket }) => (ticket ? [underWayOf(one, ticket)] : []));
			},
			get: async (id: string) => (await find(id))?.record ?? null,
			async getGrantable(id: string): Promise<ApprovalRecord> {
				const ticket = await find(id);
				if (!ticket) throw new AppError('approval/not-found');
				if (!grants(ticket)) throw new AppError('auth/forbidden');
				return ticket.record;
			},
			async decide(id: string, body: DecisionBody, _by: Decider): Promise<ApprovalRecord> {
				const { ticket, who } = await demandTicket(id, body);
				const proof = ticket.level === 'passkey' ? await passkeys.prove({ ticket, said: body, who }, answer) : {};
				const { id: _, ...decider } = who;
				const begun = performance.now();
				const n = await propose(ticket, body, decider, proof);
				const result = await machines.answer(ticket, n);
				meters.signalbox_hub_decision_seconds.add((performance.now() - begun) / 1000);
				demandDone(result);
				meters.signalbox_hub_ticket_seconds.add((now() - Date.parse(ticket.record.requestedAt)) / 1000);
				return (await find(id))?.record ?? ticket.record;
			},
		};
	}

	return { forReader };
}

export type HubApprovals = ReturnType<typeof createHubApprovals>;

function demandDecidable({ level, record }: HubTicket, mayDecide: boolean): void {
	if (!mayDecide) throw new AppError('auth/forbidden');
	if (level === 'watch') throw new AppError('hub/watch-only');
	if (record.state !== 'waiting') throw new AppError(record.by ? 'approval/decided' : 'approval/late');
}

const underWayOf = ({ ticket, said: body, person }: DecisionCommand, { machine }: HubTicket): DecisionUnderWay => ({
	approval: ticket,
	decision: body.decision,
	name: person.name,
	machine,
});

/** The expiry is rounded to a full minute, so that any replica can compute it from the answer. */
const STEP_MS = 60_000;
const STEPS = 3;

interface SaidOf {
	ticket: HubTicket;
	said: DecisionBody;
	who: HubDecider & { id: number };
}

/** A passkey signs a decision in the way that the machine checks. */
function createDecisionPasskeys(ask: Ask, identity: HubIdentity, now: () => number) {
	const { root } = identity;
	const store = createRosterStore(ask, identity);

	async function entriesOf({ ticket: { teamName, project }, who }: SaidOf) {
		if (root.v === 1) throw new AppError('hub/no-root');
		const signed = (await store.of(who.id)).flatMap((line) => line.signed ?? []);
		if (signed.length === 0) throw new AppError('roster/person');
		const here = signed.filter(({ entry }) => coversScope(entry.places, { team: teamName, project }));
		if (here.length === 0) throw new AppError('roster/place');
		return { rpId: root.rpId, passkeys: here.map(({ entry }) => entry.passkey) };
	}

	const digestUntil = ({ ticket: { digest }, said, who: { id: _, ...person } }: SaidOf, expires: number) =>
		decisionDigest({ digest, said, person, expires }, root.origin);

	return {
		async askFor(of: SaidOf): Promise<PasskeyAsk> {
			const { rpId, passkeys } = await entriesOf(of);
			const expires = (Math.floor(now() / STEP_MS) + STEPS) * STEP_MS;
			const challenge = Buffer.from(digestUntil(of, expires), 'hex').toString('base64url');
			const allowCredentials = passkeys.map(({ id }) => ({ id, type: 'public-key' as const }));
			return { challenge, rpId, allowCredentials, userVerification: 'required' };
		},
		async prove(of: SaidOf, answer: AuthenticationResponseJSON | null) {
			const { rpId, passkeys } = await entriesOf(of);
			const given = RootSignature.safeParse(answer).data;
			if (!given) throw new AppError('passkey/needed');
			const challenge = Buffer.from(challengeIn(given.response.clientDataJSON), 'base64url').toString('hex');
			const slot = Math.floor(now() / STEP_MS);
			const expires = Array.from({ length: STEPS }, (_, at) => (slot + 1 + at) * STEP_MS).find(
				(one) => digestUntil(of, one) === challenge,
			);
			const passkey = passkeys.find(({ id }) => id === given.id);
			const isTrue =
				expires !== undefined &&
				passkey &&
				(await isAnswerTo(challenge, given, passkey, { origin: root.origin, rpId }));
			if (!isTrue) throw new AppError('passkey/refused');
			return { expires, assertion: given };
		},
	};
}

export function createDecisionsUnderWay(options: {
	commands: Pick<CommandStore, 'open' | 'unanswered'>;
	now: () => number;
}) {
	const { commands, now } = options;

	async function read(place: Parameters<CommandStore['unanswered']>[1]): Promise<DecisionCommand[]> {
		const waiting = await commands.unanswered('decision', place);
		return waiting
			.flatMap(({ edge, ...command }) => DecisionCommand.safeParse(commands.open(edge, command)).data ?? [])
			.filter(({ expires }) => expires > now());
	}

	return {
		/** The one that reaches the machine first counts. */
		async about({ edge, record }: { edge: number; record: { id: string } }): Promise<DecisionCommand | undefined> {
			return (await read({ edge })).find(({ ticket }) => ticket === record.id);
		},
		async inTeams(teams: readonly number[] | null): Promise<DecisionCommand[]> {
			const found = await read({ teams });
			return found.filter(({ ticket }, at) => found.findIndex((other) => other.ticket === ticket) === at);
		},
	};
}

export function readerOf({ hub }: Principal, header: unknown): HubReader {
	if (!hub) throw new AppError('auth/missing');
	const { person, roles } = hub;
	const { teams, projects = [] } = scopeOf(roles, 'read');
	return {
		teams: teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)],
		sees: (place) => may(roles, 'read', place),
		decides: (place) => may(roles, 'decide', place),
		grants: (place) => may(roles, 'grant', place),
		person,
		answer: readPasskeyHeader(header),
	};
}
