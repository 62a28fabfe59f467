import type { GrantRecord, GrantState, RevokeBody } from '#lib/contract/approvals/grants.ts';
import { AppError } from '#lib/contract/errors.ts';
import type { HubDecider } from '#lib/contract/hub/hub-decision.ts';
import type { GrantCommand } from '#lib/contract/hub/hub-grants.ts';
import { may } from '#lib/hub/may.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { findRoles } from '../people/role-rows.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createHubJournal } from '../timelines/hub-journal.ts';
import { createAnswerWait, findDecider, refusalOf } from './await-answer.ts';
import { createGrantStore, type GrantStore, type HubGrant } from './grant-store.ts';
import type { HubReader } from './hub-approvals.ts';

/** So many are looked through for those that somebody may see. */
const REACH = 500;

/** What machines allow for later calls, as people at the hub find it and take it back. */
export function createHubGrants(options: {
	ask: Ask;
	grantStore: GrantStore;
	commands: Pick<CommandStore, 'result'>;
	identity: HubIdentity;
	hints: Pick<Hints, 'hear'>;
	end: ReturnType<typeof createGrantEnd>;
}) {
	const { ask, grantStore, commands, identity, hints, end } = options;
	const whoIs = findDecider(ask);
	const answerTo = createAnswerWait(commands, hints);

	/** Which this hub may take back. */
	function demandOurs(grant: HubGrant | undefined): HubGrant {
		if (!grant) throw new AppError('grant/not-found');
		const { by, state } = grant.record;
		if (by.hub?.origin !== identity.root.origin) throw new AppError('grant/of-machine');
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
					const who = await whoIs(person);
					if (!who || !grants(grant)) throw new AppError('auth/forbidden');
					const { id: _, ...decider } = who;
					const n = await end(grant, decider, reason);
					const result = await answerTo(grant.edge, grant.team, n);
					if (!result) throw new AppError('hub/no-answer');
					if (result.state === 'refused') throw refusalOf(result);
					return (await grantStore.find(id, grant.record.sessionId))?.record ?? grant.record;
				},
			};
		},
	};
}

export type HubGrants = ReturnType<typeof createHubGrants>;

/** Has a machine take back a grant, in a person's name; gives the command's number. */
export function createGrantEnd(options: {
	ask: Ask;
	commands: Pick<CommandStore, 'append'>;
	identity: HubIdentity;
	hints: Pick<Hints, 'tell'>;
	now: () => number;
}) {
	const { ask, commands, identity, hints, now } = options;
	const journal = createHubJournal(ask, identity.privateKey, now);
	return async ({ edge, team, record }: HubGrant, person: HubDecider, reason?: string): Promise<number> => {
		const why = reason ? { reason } : {};
		await journal.append(team, { kind: 'hub:revoke', subject: record.id, payload: { edge, person, ...why } });
		const body: GrantCommand = { v: 1, edge, action: 'revoke', grant: record.id, person, ...why };
		const n = await commands.append(edge, 'grant', body);
		hints.tell(`edge:${edge}`);
		return n;
	};
}

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
	commands: CommandStore;
	identity: HubIdentity;
	hints: Pick<Hints, 'tell' | 'hear'>;
	/** Milliseconds since the epoch. */
	now: () => number;
}) {
	const { ask, journals, identity, now } = options;
	const grantStore = createGrantStore(ask, journals.histories, now);
	const end = createGrantEnd(options);
	return {
		grants: createHubGrants({ ...options, grantStore, end }),
		/** Takes back what nobody may allow any more at the machines that are connected here; gives what ends it. */
		startTakingBack: (edges: () => readonly number[], failed: (error: unknown) => void) =>
			startGrantTakeBack({ ask, origin: identity.root.origin, grantStore, end, edges, failed }),
	};
}
