import { tooLateWords } from '#lib/approvals/call-words.ts';
import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import type { ApprovalRecord, ApprovalState, DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { Decider } from '#lib/contract/events/catalogue/approval.ts';
import { DecisionCommand, type DecisionUnderWay, type HubDecider } from '#lib/contract/hub/hub-commands.ts';
import { isSameQuestion, scopesWithin } from '#lib/grants/covers.ts';
import { may, scopeOf } from '#lib/hub/may.ts';
import { inEnglish } from '#lib/messages/sentence.ts';
import type { Principal } from '../../access/principal.ts';
import { readPasskeyHeader } from '../../access/webauthn.ts';
import { decisionDigest } from '../../hub-protocol/signatures.ts';
import type { HubCore } from '../core/hub-core.ts';
import type { CommandStore } from '../edges/command-store.ts';
import type { HubMeters } from '../metrics/hub-meters.ts';
import { type DecisionParts, demandDone, type Proposal } from './edge-commands.ts';
import type { HubTicket } from './ticket-store.ts';

type TicketScope = Pick<HubTicket, 'team' | 'project'>;

const REACH = 2000;
const SIMILAR_REACH = 500;
const VALID_MS = 120_000;

/** A decision at the hub becomes a command to the machine; only the machine's answer counts. */
export function createHubApprovals(hub: HubCore, parts: Omit<DecisionParts, 'grantStore'> & { meters: HubMeters }) {
	const { identity, now } = hub;
	const { tickets, commands, edgeCommands, meters } = parts;
	const underWay = createDecisionsUnderWay({ commands, now });

	const proposalOf = (at: HubTicket, body: DecisionBody, person: number, who: HubDecider): Proposal => ({
		machine: at,
		person,
		digestUntil: (expires) =>
			decisionDigest({ digest: at.digest, said: body, person: who, expires }, identity.root.origin),
	});

	function forPerson({ teams, mayRead, mayDecide, mayGrant, person, passkeyAnswer }: HubAccess) {
		async function list(state: ApprovalState | undefined, reach: number): Promise<ApprovalRecord[]> {
			return (await tickets.list(teams, state, reach)).filter(mayRead).map(({ record }) => record);
		}

		async function find(id: string): Promise<HubTicket | undefined> {
			const ticket = await tickets.find(id);
			return ticket && mayRead(ticket) ? ticket : undefined;
		}

		async function demandTicket(id: string, { remember }: DecisionBody) {
			const ticket = await find(id);
			if (!ticket) throw new AppError('approval/not-found');
			demandDecidable(ticket, mayDecide(ticket) && (!remember || mayGrant(ticket)));
			// The machine checks this itself, but an older one would not understand the request.
			if (remember && !scopesWithin(ticket.grants).includes(remember.scope)) throw new AppError('grant/at-machine');
			const who = await edgeCommands.demandPerson(person);
			const before = await underWay.about(ticket);
			if (before) throw new AppError('hub/under-way', inEnglish(tooLateWords(underWayOf(before, ticket))));
			return { ticket, who };
		}

		return {
			async askPasskey(id: string, body: DecisionBody): Promise<PasskeyAsk | null> {
				const { ticket, who } = await demandTicket(id, body);
				return edgeCommands.askPasskey(proposalOf(ticket, body, person, who));
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
			async decide(id: string, body: DecisionBody, _by: Decider): Promise<ApprovalRecord> {
				const { ticket, who } = await demandTicket(id, body);
				const { edge, digest, nonce, record } = ticket;
				const { assertion, expires = Math.min(now() + VALID_MS, Date.parse(record.deadline)) } =
					await edgeCommands.prove(proposalOf(ticket, body, person, who), passkeyAnswer);
				const payload = { edge, digest, nonce, said: body, person: who, ...(assertion && { assertion }) };
				const row = { kind: 'hub:decide', subject: id, payload } as const;
				const begun = performance.now();
				const result = await edgeCommands.ask(ticket, 'decision', row, (journal) => ({
					v: 1,
					ticket: id,
					...payload,
					expires,
					journal,
				}));
				meters.signalbox_hub_decision_seconds.add((performance.now() - begun) / 1000);
				demandDone(result);
				meters.signalbox_hub_ticket_seconds.add((now() - Date.parse(record.requestedAt)) / 1000);
				return (await find(id))?.record ?? record;
			},
		};
	}

	return { forPerson };
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

export function createDecisionsUnderWay(options: {
	commands: Pick<CommandStore, 'unseal' | 'unanswered'>;
	now: () => number;
}) {
	const { commands, now } = options;

	async function read(filter: Parameters<CommandStore['unanswered']>[1]): Promise<DecisionCommand[]> {
		const waiting = await commands.unanswered('decision', filter);
		return waiting
			.flatMap(({ edge, ...command }) => DecisionCommand.safeParse(commands.unseal(edge, command)).data ?? [])
			.filter(({ expires }) => expires > now());
	}

	return {
		/** The first decision that reaches the machine counts. */
		async about({ edge, record }: { edge: number; record: { id: string } }): Promise<DecisionCommand | undefined> {
			return (await read({ edge })).find(({ ticket }) => ticket === record.id);
		},
		async inTeams(teams: readonly number[] | null): Promise<DecisionCommand[]> {
			const found = await read({ teams });
			return found.filter(({ ticket }, index) => found.findIndex((other) => other.ticket === ticket) === index);
		},
	};
}

/** What somebody may see and do among the approvals of a hub, with the passkey's answer that came along. */
export function hubAccessOf({ hub }: Principal, header: unknown) {
	if (!hub) throw new AppError('auth/missing');
	const { person, roles } = hub;
	const { teams, projects = [] } = scopeOf(roles, 'read');
	return {
		teams: teams === 'all' ? null : [...teams, ...projects.map(({ team }) => team)],
		mayRead: (target: TicketScope) => may(roles, 'read', target),
		mayDecide: (target: TicketScope) => may(roles, 'decide', target),
		mayGrant: (target: TicketScope) => may(roles, 'grant', target),
		person,
		passkeyAnswer: readPasskeyHeader(header),
	};
}

export type HubAccess = ReturnType<typeof hubAccessOf>;
