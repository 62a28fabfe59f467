import { tell } from '#lib/messages/tell.ts';
import type { IncidentLog } from '../journal/incidents/incident-log.ts';
import type { Log } from '../process/log.ts';
import { repeat } from '../process/repeat.ts';
import type { JournalStore } from '../timeline/store/journal-store.ts';
import { readMembership } from './membership.ts';
import { createPolicyCache } from './policy-cache.ts';
import type { PusherOptions } from './pusher.ts';

/** A policy ends within so many ms, and a file that somebody changed is put back. */
const LOOK_MS = 5000;

/** What keeping a policy needs of the server. */
export interface PolicyPorts {
	journal: Pick<JournalStore, 'append' | 'byKind'>;
	incidents: Pick<IncidentLog, 'raise'>;
}

/** Keeps the policy of the hub that a home has joined; undefined where it has joined none, or before a hub's key was kept. */
export function openPolicies(
	home: string,
	{ journal, incidents }: PolicyPorts,
	log: Log,
): { forPusher: Pick<PusherOptions, 'handlers' | 'sentAway'>; stop(): void } | undefined {
	const membership = readMembership(home);
	if (!membership?.root) return;
	const { root } = membership;
	const altered = (path: string) =>
		incidents.raise({
			code: 'config/loosened',
			about: path,
			message: tell('{path} was not as the hub’s policy is kept, and was put back#incident', { path }),
		});
	const cache = createPolicyCache({
		home,
		journal,
		membership: { ...membership, root },
		altered,
		now: Date.now,
		log,
	});
	const failed = (error: unknown) => log.error('edge: the policy of the hub could not be kept', error);
	cache.look().catch(failed);
	const forPusher = { handlers: { policy: cache.take }, sentAway: cache.sentAway };
	return { forPusher, stop: repeat(LOOK_MS, cache.look, failed) };
}
