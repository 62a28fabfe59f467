import { createHash, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import webPush from 'web-push';
import * as z from 'zod';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { PushId, type PushState, PushSubscription } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { accessIdOf, type Principal } from '../../access/principal.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';

const MOST_BROWSERS = 20;

const Browser = z.object({
	...PushSubscription.shape,
	id: PushId,
	since: z.string(),
	/** Hash of the sign-in or token that asked: when it ends, so does this. */
	login: z.string(),
});
/** A browser that wants to be told. */
export type Browser = z.infer<typeof Browser>;

const PushFile = z.object({ publicKey: z.string(), privateKey: z.string(), browsers: z.array(Browser) });
type PushFile = z.infer<typeof PushFile>;

/** The server's push keys and the browsers that are told, in `push.json` (0600) below the home. */
export interface PushStore {
	/** Makes the keys where there are none yet. */
	keys(): { publicKey: string; privateKey: string };
	browsers(): readonly Browser[];
	/** The same browser again takes its old place. Throws `push/too-many`. */
	add(subscription: PushSubscription, login: string): void;
	/** False when there is none of that id. */
	remove(id: string): boolean;
	removeOf(login: string): void;
}

/** The id of an endpoint. */
export function pushId(endpoint: string): string {
	return createHash('sha256').update(endpoint).digest('hex').slice(0, 16);
}

/** Nothing is read or written before it is needed. `now` in milliseconds. */
export function openPushStore(home: string, now: () => number): PushStore {
	const path = join(home, 'push.json');
	let pushStore: PushFile | null | undefined;

	/** Null: nobody has asked yet, or the file is not one that only its owner can read. */
	const read = (): PushFile | null => {
		if (pushStore === undefined) pushStore = readPushFile(path);
		return pushStore;
	};
	const write = (next: PushFile): void => {
		writeDurably(path, JSON.stringify(next));
		pushStore = next;
	};
	const open = (): PushFile => {
		const found = read();
		if (found) return found;
		const made = { ...webPush.generateVAPIDKeys(), browsers: [] };
		write(made);
		return made;
	};
	const keep = (browsers: Browser[]): boolean => {
		const found = read();
		if (!found || found.browsers.length === browsers.length) return false;
		write({ ...found, browsers });
		return true;
	};
	const browsers = () => read()?.browsers ?? [];

	return {
		keys: open,
		browsers,
		add({ endpoint, keys }, login) {
			const found = open();
			const id = pushId(endpoint);
			const others = found.browsers.filter((one) => one.id !== id);
			if (others.length >= MOST_BROWSERS) throw new AppError('push/too-many');
			const since = new Date(now()).toISOString();
			write({ ...found, browsers: [...others, { id, endpoint, keys, since, login }] });
		},
		remove: (id) => keep(browsers().filter((one) => one.id !== id)),
		removeOf: (login) => void keep(browsers().filter((one) => one.login !== login)),
	};
}

function readPushFile(path: string): PushFile | null {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat?.isFile() || (stat.mode & 0o077) !== 0 || stat.uid !== process.getuid?.()) return null;
	const text = readBounded(path);
	try {
		return text.ok ? PushFile.parse(JSON.parse(text.text)) : null;
	} catch {
		return null;
	}
}

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
