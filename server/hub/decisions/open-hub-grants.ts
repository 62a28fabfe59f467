import type { Ask } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import type { Hints } from '../hints/hints.ts';
import type { CommandStore } from '../machines/command-store.ts';
import type { EdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createGrantEnd, createHubGrants } from './hub-grants.ts';
import { startGrantTakeBack } from './take-back-grants.ts';

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
