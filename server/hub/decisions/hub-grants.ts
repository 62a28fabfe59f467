import type { PasskeyAsk } from '#lib/contract/access/access.ts';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { GrantBody, GrantRecord, GrantSource, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import { type HubDecider, MAX_VALID_MS } from '#lib/contract/hub/hub-commands.ts';
import { scopesWithin } from '#lib/grants/covers.ts';
import { may } from '#lib/hub/may.ts';
import { readHubName } from '#lib/ids/session-name.ts';
import { demandDecided, type GrantSubject, grantSubjectOf } from '../../approvals/grants/grant-subject.ts';
import { grantDigest } from '../../hub-protocol/signatures.ts';
import { repeat } from '../../process/repeat.ts';
import type { SessionReads } from '../../timeline/store/session-reads.ts';
import type { HubCore } from '../core/hub-core.ts';
import type { Query } from '../database/database.ts';
import { findRoles } from '../people/people-store.ts';
import { type DecisionParts, demandDone, type EdgeCommands, type Proposal } from './edge-commands.ts';
import type { GrantStore, HubGrant } from './grant-store.ts';
import type { HubAccess } from './hub-approvals.ts';
import type { HubTicket, TicketStore } from './ticket-store.ts';

const REACH = 500;

/** Grants of the machines. A change at the hub becomes a command; only the machine's answer counts. */
export function createHubGrants(hub: HubCore, parts: Omit<DecisionParts, 'commands'>) {
	const { now } = hub;
	const { grantStore, tickets, edgeCommands } = parts;
	const { origin } = hub.identity.root;
	const callOf = findDeniedCall(hub.query, tickets);

	const proposalOf = (at: DeniedCall, body: GrantBody, person: number, who: HubDecider): Proposal => ({
		machine: at,
		person,
		digestUntil: (expires) => grantDigest({ edge: at.edge, said: body, person: who, expires }, origin),
	});

	function demandOurs(grant: HubGrant | undefined): HubGrant {
		if (!grant) throw new AppError('grant/not-found');
		const { by, state } = grant.record;
		if (by.hub?.origin !== origin) throw new AppError('grant/of-machine');
		if (state !== 'active') throw new AppError('grant/ended');
		return grant;
	}

	return {
		forPerson({ teams, mayRead, mayGrant, person, passkeyAnswer }: HubAccess, reads: Pick<SessionReads, 'events'>) {
			async function demandCall(source: GrantSource): Promise<DeniedCall> {
				const call = await callOf(source);
				if (!call || !mayRead(call)) throw new AppError(source.approvalId ? 'approval/not-found' : 'grant/no-denial');
				if (!mayGrant(call)) throw new AppError('auth/forbidden');
				return call;
			}

			async function demandGrantable(body: GrantBody) {
				const call = await demandCall(body);
				if (call.level === 'watch') throw new AppError('hub/watch-only');
				if (!scopesWithin(call.grants).includes(body.scope)) throw new AppError('grant/at-machine');
				demandDecided(body, { approval: () => call.record });
				return { call, said: atMachine(body), who: await edgeCommands.demandPerson(person) };
			}

			return {
				async askPasskey(body: GrantBody): Promise<PasskeyAsk | null> {
					const { call, said, who } = await demandGrantable(body);
					return edgeCommands.askPasskey(proposalOf(call, said, person, who));
				},
				async list(state: GrantState | undefined, limit: number): Promise<GrantRecord[]> {
					const found = (await grantStore.list(teams, state, REACH)).filter(mayRead);
					return found.slice(0, limit).map(({ record }) => record);
				},
				async subjectOf(source: GrantSource): Promise<GrantSubject> {
					const { record } = await demandCall(source);
					return grantSubjectOf(source, { approval: () => record, reads });
				},
				async create(source: GrantSource, terms: Omit<GrantBody, keyof GrantSource>): Promise<GrantRecord> {
					const { call, said, who } = await demandGrantable({ ...source, ...terms });
					const proof = await edgeCommands.prove(proposalOf(call, said, person, who), passkeyAnswer);
					const { assertion, expires = now() + MAX_VALID_MS } = proof;
					const payload = { edge: call.edge, said, person: who, ...(assertion && { assertion }) };
					const row = { kind: 'hub:grant', subject: said.approvalId ?? said.sessionId ?? '', payload } as const;
					const result = await edgeCommands.ask(call, 'grant', row, (journal) => ({
						v: 1,
						action: 'create',
						...payload,
						expires,
						journal,
					}));
					if (result?.why === 'grant/form') throw new AppError('hub/refused', TOO_OLD);
					demandDone(result);
					const made = result && (await grantStore.ofRow(call.edge, result.journal));
					if (!made) throw new AppError('hub/no-answer');
					return made.record;
				},
				async revoke(id: string, { reason, sessionId }: RevokeBody): Promise<GrantRecord> {
					const found = await grantStore.find(id, sessionId);
					const grant = demandOurs(found && mayRead(found) ? found : undefined);
					if (!mayGrant(grant)) throw new AppError('auth/forbidden');
					const who = await edgeCommands.demandPerson(person);
					demandDone(await edgeCommands.ask(...revocationOf(grant, who, reason)));
					return (await grantStore.find(id, grant.record.sessionId))?.record ?? grant.record;
				},
			};
		},
	};
}

const TOO_OLD = 'This machine’s Signalbox cannot do that yet: upgrade it. Nothing was allowed.';

/** Where a denied call is, and its approval if people were asked. */
type DeniedCall = Pick<HubTicket, 'edge' | 'team' | 'teamName' | 'project' | 'level' | 'grants'> & {
	record: ApprovalRecord | null;
};

export function findDeniedCall(query: Query, tickets: Pick<TicketStore, 'find'>) {
	return async ({ approvalId, sessionId = '' }: GrantSource): Promise<DeniedCall | undefined> => {
		if (approvalId !== undefined) return tickets.find(approvalId);
		const name = readHubName(sessionId);
		if (!name) return;
		const [found] = await query<Omit<DeniedCall, 'record'>>`SELECT s.edge, s.team, t.name AS "teamName", s.project,
			e.level, e.grants FROM sessions s JOIN edges e ON e.id = s.edge JOIN teams t ON t.id = s.team
			WHERE s.edge = ${name.edge} AND s.session_id = ${name.sessionId} ORDER BY s.gen DESC, s.roll DESC LIMIT 1`;
		return found && { ...found, record: null };
	};
}

/** A machine names its sessions without its number at the hub. */
function atMachine({ sessionId, ...body }: GrantBody): GrantBody {
	const name = sessionId === undefined ? undefined : readHubName(sessionId);
	return name ? { ...body, sessionId: name.sessionId } : body;
}

export type HubGrants = ReturnType<typeof createHubGrants>;

function revocationOf(grant: HubGrant, person: HubDecider, reason?: string): Parameters<EdgeCommands['send']> {
	const { edge, record } = grant;
	const why = reason ? { reason } : {};
	const row = { kind: 'hub:revoke', subject: record.id, payload: { edge, person, ...why } } as const;
	return [grant, 'grant', row, () => ({ v: 1, edge, action: 'revoke', grant: record.id, person, ...why })];
}

const CHECK_MS = 5000;

interface RevocationOptions {
	query: Query;
	origin: string;
	grantStore: Pick<GrantStore, 'ofHubAt' | 'isActive'>;
	revoke: (grant: HubGrant, person: HubDecider, reason: string) => Promise<number>;
	edges: () => readonly number[];
}

/** Revokes grants of people who may no longer give them. Machines that check passkeys also notice it by their roster. */
export function startGrantRevocation(
	{ query, identity }: HubCore,
	{ edgeCommands, ...parts }: Pick<RevocationOptions, 'grantStore' | 'edges'> & { edgeCommands: EdgeCommands },
	failed: (error: unknown) => void,
): () => void {
	const end: RevocationOptions['revoke'] = (...revoked) => edgeCommands.send(...revocationOf(...revoked));
	return repeat(CHECK_MS, createRevoker({ query, origin: identity.root.origin, ...parts, revoke: end }), failed);
}

export function createRevoker({ query, origin, grantStore, revoke, edges }: RevocationOptions): () => Promise<void> {
	const rolesOf = findRoles(query);
	/** A machine receives it once: now, or with its next connection. */
	let revoked = new Set<string>();

	return async () => {
		const here = edges();
		const grants = here.length === 0 ? [] : await grantStore.ofHubAt(here);
		const ids = new Set(grants.map(({ record }) => record.id));
		revoked = new Set([...revoked].filter((id) => ids.has(id)));
		const rolesNow = cachedRoles(rolesOf);
		for (const grant of grants) {
			const { id, by } = grant.record;
			if (by.hub?.origin !== origin || revoked.has(id)) continue;
			const { iss, sub } = by.hub;
			if (may(await rolesNow({ iss, sub }), 'grant', grant) || !(await grantStore.isActive(grant))) continue;
			await revoke(grant, { iss, sub, name: by.name ?? sub }, 'who allowed it may not any more');
			revoked.add(id);
		}
	};
}

/** Many grants have few authors, so each author's roles are read once. */
function cachedRoles(rolesOf: ReturnType<typeof findRoles>): typeof rolesOf {
	const known = new Map<string, ReturnType<typeof rolesOf>>();
	return ({ iss, sub }) => {
		const name = JSON.stringify([iss, sub]);
		const roles = known.get(name) ?? rolesOf({ iss, sub });
		known.set(name, roles);
		return roles;
	};
}
