import type { GrantRecord, GrantSource, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { HubDecider } from '#lib/contract/hub/hub-commands.ts';
import { may } from '#lib/hub/may.ts';
import { type GrantSubject, subjectOfApproval } from '../../approvals/grants/grant-subject.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import { findRoles } from '../people/people-store.ts';
import type { GrantStore, HubGrant } from './grant-store.ts';
import type { HubReader } from './hub-approvals.ts';
import { demandDone, type MachineCommands } from './machine-commands.ts';
import type { TicketStore } from './ticket-store.ts';

const REACH = 500;

interface HubGrantOptions {
	grantStore: GrantStore;
	tickets: Pick<TicketStore, 'find'>;
	machines: MachineCommands;
	origin: string;
}

/** Grants of the machines. What somebody changes here becomes a command; only the machine's answer counts. */
export function createHubGrants({ grantStore, tickets, machines, origin }: HubGrantOptions) {
	function demandOurs(grant: HubGrant | undefined): HubGrant {
		if (!grant) throw new AppError('grant/not-found');
		const { by, state } = grant.record;
		if (by.hub?.origin !== origin) throw new AppError('grant/of-machine');
		if (state !== 'active') throw new AppError('grant/ended');
		return grant;
	}

	return {
		forReader({ teams, sees, grants, person }: HubReader) {
			return {
				async list(state: GrantState | undefined, limit: number): Promise<GrantRecord[]> {
					const found = (await grantStore.list(teams, state, REACH)).filter(sees);
					return found.slice(0, limit).map(({ record }) => record);
				},
				async subjectOf({ approvalId }: GrantSource): Promise<GrantSubject> {
					if (approvalId === undefined) throw new AppError('hub/at-machine');
					const ticket = await tickets.find(approvalId);
					if (!ticket || !sees(ticket)) throw new AppError('approval/not-found');
					if (!grants(ticket)) throw new AppError('auth/forbidden');
					return subjectOfApproval(ticket.record);
				},
				create: (): Promise<GrantRecord> => Promise.reject(new AppError('hub/at-machine')),
				async revoke(id: string, { reason, sessionId }: RevokeBody): Promise<GrantRecord> {
					const found = await grantStore.find(id, sessionId);
					const grant = demandOurs(found && sees(found) ? found : undefined);
					const who = await machines.whoIs(person);
					if (!who || !grants(grant)) throw new AppError('auth/forbidden');
					demandDone(await machines.answer(grant, await sendRevoke(machines, grant, who, reason)));
					return (await grantStore.find(id, grant.record.sessionId))?.record ?? grant.record;
				},
			};
		},
	};
}

export type HubGrants = ReturnType<typeof createHubGrants>;

function sendRevoke(
	machines: Pick<MachineCommands, 'send'>,
	grant: HubGrant,
	person: HubDecider,
	reason?: string,
): Promise<number> {
	const { edge, record } = grant;
	const why = reason ? { reason } : {};
	const row = { kind: 'hub:revoke', subject: record.id, payload: { edge, person, ...why } } as const;
	return machines.send(grant, 'grant', row, () => ({
		...{ v: 1, edge, action: 'revoke', grant: record.id, person, ...why },
	}));
}

const LOOK_MS = 5000;

interface TakeBackOptions {
	ask: Ask;
	origin: string;
	grantStore: Pick<GrantStore, 'ofHubAt' | 'counts'>;
	end: (grant: HubGrant, person: HubDecider, reason: string) => Promise<number>;
	edges: () => readonly number[];
}

/** Machines that check passkeys learn it from their roster, too. */
export function startGrantTakeBack(
	{ machines, ...options }: Omit<TakeBackOptions, 'end'> & { machines: MachineCommands },
	failed: (error: unknown) => void,
): () => void {
	const end: TakeBackOptions['end'] = (...revoked) => sendRevoke(machines, ...revoked);
	return repeat(LOOK_MS, createGrantTakeBack({ ...options, end }), failed);
}

export function createGrantTakeBack({ ask, origin, grantStore, end, edges }: TakeBackOptions): () => Promise<void> {
	const rolesOf = findRoles(ask);
	/** A machine receives it once: now, or with its next connection. */
	let reported = new Set<string>();

	return async () => {
		const here = edges();
		const grants = here.length === 0 ? [] : await grantStore.ofHubAt(here);
		const ids = new Set(grants.map(({ record }) => record.id));
		reported = new Set([...reported].filter((id) => ids.has(id)));
		const rolesNow = eachOnce(rolesOf);
		for (const grant of grants) {
			const { id, by } = grant.record;
			if (by.hub?.origin !== origin || reported.has(id)) continue;
			const { iss, sub } = by.hub;
			if (may(await rolesNow({ iss, sub }), 'grant', grant) || !(await grantStore.counts(grant))) continue;
			await end(grant, { iss, sub, name: by.name ?? sub }, 'who allowed it may not any more');
			reported.add(id);
		}
	};
}

/** Few people have allowed many. */
function eachOnce(rolesOf: ReturnType<typeof findRoles>): typeof rolesOf {
	const known = new Map<string, ReturnType<typeof rolesOf>>();
	return ({ iss, sub }) => {
		const name = JSON.stringify([iss, sub]);
		const roles = known.get(name) ?? rolesOf({ iss, sub });
		known.set(name, roles);
		return roles;
	};
}
