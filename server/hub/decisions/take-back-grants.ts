import { may } from '#lib/hub/may.ts';
import { repeat } from '../../process/repeat.ts';
import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import { findRoles } from '../people/role-rows.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore, type GrantStore } from './grant-store.ts';
import { createGrantEnd, createHubGrants } from './hub-grants.ts';

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
export const startGrantTakeBack = ({
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
