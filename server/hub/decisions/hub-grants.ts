import type { GrantRecord, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import type { GrantCommand } from '#lib/contract/hub/hub-grants.ts';
import { may } from '#lib/hub/may.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import { findRoles } from '../people/role-rows.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore, type GrantStore, type HubGrant } from './grant-store.ts';
import type { HubReader } from './hub-approvals.ts';
import { demandDone, type MachineCommands } from './machine-commands.ts';

/** So many are looked through for those that somebody may see. */
const REACH = 500;

/** What machines allow for later calls, as people at the hub find it and take it back. */
export function createHubGrants(options: {
	grantStore: GrantStore;
	machines: MachineCommands;
	/** Of the hub. */
	origin: string;
}) {
	const { grantStore, machines, origin } = options;
	const end = createGrantEnd(machines);

	/** Which this hub may take back. */
	function demandOurs(grant: HubGrant | undefined): HubGrant {
		if (!grant) throw new AppError('grant/not-found');
		const { by, state } = grant.record;
		if (by.hub?.origin !== origin) throw new AppError('grant/of-machine');
		if (state !== 'active') throw new AppError('grant/ended');
		return grant;
	}

	return {
		/** What somebody finds and does. */
		forReader({ teams, sees, grants, person }: HubReader) {
			return {
				async list(state: GrantState | undefined, limit: number): Promise<GrantRecord[]> {
					const found = (await grantStore.list(teams, state, REACH)).filter(sees);
					return found.slice(0, limit).map(({ record }) => record);
				},
				/** Throws `grant/not-found`, `auth/forbidden`, `grant/of-machine`, `grant/ended` and `hub/no-answer`. */
				async revoke(id: string, { reason, sessionId }: RevokeBody): Promise<GrantRecord> {
					const found = await grantStore.find(id, sessionId);
					const grant = demandOurs(found && sees(found) ? found : undefined);
					const who = await machines.whoIs(person);
					if (!who || !grants(grant)) throw new AppError('auth/forbidden');
					demandDone(await machines.answer(grant, await end(grant, who, reason)));
					return (await grantStore.find(id, grant.record.sessionId))?.record ?? grant.record;
				},
			};
		},
	};
}

export type HubGrants = ReturnType<typeof createHubGrants>;

/** Has a machine take back a grant, in a person's name; gives the command's number. */
const createGrantEnd =
	(machines: Pick<MachineCommands, 'send'>) =>
	(grant: HubGrant, person: HubDecider, reason?: string): Promise<number> => {
		const { edge, record } = grant;
		const why = reason ? { reason } : {};
		const row = { kind: 'hub:revoke', subject: record.id, payload: { edge, person, ...why } } as const;
		const body: GrantCommand = { v: 1, edge, action: 'revoke', grant: record.id, person, ...why };
		return machines.send(grant, 'grant', row, () => body);
	};

/** How often it is looked whether somebody may not any more, in ms. */
const LOOK_MS = 5000;

interface TakeBackOptions {
	ask: Ask;
	origin: string;
	grantStore: Pick<GrantStore, 'ofHubAt' | 'counts'>;
	end: ReturnType<typeof createGrantEnd>;
	edges: () => readonly number[];
}

/**
 * Has the machines that are connected here take back what somebody has allowed from the hub `origin` who has been switched off
 * since, or may not allow it any more. Machines that check passkeys see it by their roster, too. Gives what ends it.
 */
const startGrantTakeBack = ({
	failed,
	...options
}: TakeBackOptions & { failed: (error: unknown) => void }): (() => void) =>
	repeat(LOOK_MS, createGrantTakeBack(options), failed);

/** One look at a time of the same. */
export function createGrantTakeBack({ ask, origin, grantStore, end, edges }: TakeBackOptions): () => Promise<void> {
	const rolesOf = findRoles(ask);
	/** A machine is told once: it has answered, or hears it with its next connection. */
	let told = new Set<string>();

	return async () => {
		const here = edges();
		const grants = here.length === 0 ? [] : await grantStore.ofHubAt(here);
		const ids = new Set(grants.map(({ record }) => record.id));
		told = new Set([...told].filter((id) => ids.has(id)));
		const rolesNow = eachOnce(rolesOf);
		for (const grant of grants) {
			const { id, by } = grant.record;
			if (by.hub?.origin !== origin || told.has(id)) continue;
			const { iss, sub } = by.hub;
			if (may(await rolesNow({ iss, sub }), 'grant', grant) || !(await grantStore.counts(grant))) continue;
			await end(grant, { iss, sub, name: by.name ?? sub }, 'who allowed it may not any more');
			told.add(id);
		}
	};
}

/** Few people have allowed many: each is asked for once. */
function eachOnce(rolesOf: ReturnType<typeof findRoles>): typeof rolesOf {
	const known = new Map<string, ReturnType<typeof rolesOf>>();
	return ({ iss, sub }) => {
		const name = JSON.stringify([iss, sub]);
		const roles = known.get(name) ?? rolesOf({ iss, sub });
		known.set(name, roles);
		return roles;
	};
}

/** What machines allow for later calls: for people who look at it, and for what a replica does about it by itself. */
export function openHubGrants(options: {
	ask: Ask;
	journals: Pick<EdgeJournalStore, 'histories'>;
	machines: MachineCommands;
	/** Of the hub. */
	origin: string;
	/** Milliseconds since the epoch. */
	now: () => number;
}) {
	const { ask, journals, machines, origin, now } = options;
	const grantStore = createGrantStore(ask, journals.histories, now);
	const end = createGrantEnd(machines);
	return {
		grants: createHubGrants({ machines, origin, grantStore }),
		/** Takes back what nobody may allow any more at the machines that are connected here; gives what ends it. */
		startTakingBack: (edges: () => readonly number[], failed: (error: unknown) => void) =>
			startGrantTakeBack({ ask, origin, grantStore, end, edges, failed }),
	};
}
