import { randomUUID } from 'node:crypto';
import type { PushState, PushSubscription } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { accessIdOf, type Principal } from '../../access/principal.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';
import { type PushStore, pushId } from './push-store.ts';

/** Lets operators say which browsers are told; each change is journaled before it is made. */
export interface PushService {
	state(): PushState;
	/** Throws `push/too-many`. */
	subscribe(subscription: PushSubscription, by: Principal): Promise<void>;
	/** Throws `push/not-found`. */
	remove(id: string, by: Principal): Promise<void>;
}

export function createPushService(options: {
	pushStore: PushStore;
	journal: Pick<JournalStore, 'append'>;
}): PushService {
	const { pushStore, journal } = options;
	/** The endpoint is a secret, so the journal has only its id. */
	const note = (id: string, action: 'subscribe' | 'remove', { via, sessionHash }: Principal) => {
		const payload = { setting: 'push', action, by: { via, session: accessIdOf(sessionHash) } };
		return journal.append({ id: randomUUID(), kind: 'setting:change', subject: `push:${id}`, payload });
	};
	return {
		state: () => ({
			publicKey: pushStore.keys().publicKey,
			browsers: pushStore
				.browsers()
				.map(({ id, endpoint, since }) => ({ id, since, service: new URL(endpoint).hostname })),
		}),
		async subscribe(subscription, by) {
			await note(pushId(subscription.endpoint), 'subscribe', by);
			pushStore.add(subscription, by.sessionHash);
		},
		async remove(id, by) {
			if (!pushStore.browsers().some((one) => one.id === id)) throw new AppError('push/not-found');
			await note(id, 'remove', by);
			pushStore.remove(id);
		},
	};
}
