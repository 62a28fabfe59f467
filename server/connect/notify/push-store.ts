import { createHash, randomUUID } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import webPush from 'web-push';
import * as z from 'zod';
import { readBounded } from '#hooks-bridge/disk/bounded-read.ts';
import { writeDurably } from '#hooks-bridge/disk/write-durably.ts';
import { PushId, type PushState, PushSubscription } from '#lib/contract/access/access.ts';
import { AppError } from '#lib/contract/errors.ts';
import { parsedJson } from '#lib/json/json.ts';
import { accessIdOf, type Principal } from '../../access/principal.ts';
import type { JournalStore } from '../../timeline/store/journal-store.ts';

const MAX_BROWSERS = 20;

/** A browser that receives messages. `login` is the hash of the sign-in or token that asked: when it ends, so does this. */
const Browser = z.object({ ...PushSubscription.shape, id: PushId, since: z.string(), login: z.string() });
export type Browser = z.infer<typeof Browser>;

const PushFile = z.object({ publicKey: z.string(), privateKey: z.string(), browsers: z.array(Browser) });
type PushFile = z.infer<typeof PushFile>;

const pushId = (endpoint: string) => createHash('sha256').update(endpoint).digest('hex').slice(0, 16);

/** The server's push keys and the browsers, in `push.json` (0600) below the home. Nothing is read before it is needed. */
export function openPushStore(home: string, now: () => number) {
	const path = join(home, 'push.json');
	let known: PushFile | null | undefined;

	/** Null if nobody has subscribed yet, or others can read the file. */
	function read(): PushFile | null {
		if (known === undefined) known = readPushFile(path);
		return known;
	}
	function write(next: PushFile): PushFile {
		writeDurably(path, JSON.stringify(next));
		known = next;
		return next;
	}
	const open = (): PushFile => read() ?? write({ ...webPush.generateVAPIDKeys(), browsers: [] });
	const browsers = (): readonly Browser[] => read()?.browsers ?? [];
	function retain(wanted: (one: Browser) => boolean): void {
		const found = read();
		const left = found?.browsers.filter(wanted);
		if (found && left && left.length < found.browsers.length) write({ ...found, browsers: left });
	}

	return {
		keys: (): Pick<PushFile, 'publicKey' | 'privateKey'> => open(),
		browsers,
		/** A known browser replaces its entry. Throws `push/too-many`. */
		add({ endpoint, keys }: PushSubscription, login: string): void {
			const found = open();
			const id = pushId(endpoint);
			const others = found.browsers.filter((one) => one.id !== id);
			if (others.length >= MAX_BROWSERS) throw new AppError('push/too-many');
			const since = new Date(now()).toISOString();
			write({ ...found, browsers: [...others, { id, endpoint, keys, since, login }] });
		},
		remove: (id: string) => retain((one) => one.id !== id),
		removeOf: (login: string) => retain((one) => one.login !== login),
	};
}

export type PushStore = ReturnType<typeof openPushStore>;

function readPushFile(path: string): PushFile | null {
	const stat = lstatSync(path, { throwIfNoEntry: false });
	if (!stat?.isFile() || (stat.mode & 0o077) !== 0 || stat.uid !== process.getuid?.()) return null;
	const text = readBounded(path);
	return (text.ok && PushFile.safeParse(parsedJson(text.text)).data) || null;
}

/** Lets operators choose which browsers receive messages; each change is journaled before it is made. */
export function createPushService({
	pushStore,
	journal,
}: {
	pushStore: PushStore;
	journal: Pick<JournalStore, 'append'>;
}) {
	/** The endpoint is a secret, so the journal has only its id. */
	function record(id: string, action: 'subscribe' | 'remove', { via, sessionHash }: Principal) {
		const payload = { setting: 'push', action, by: { via, session: accessIdOf(sessionHash) } };
		return journal.append({ id: randomUUID(), kind: 'setting:change', subject: `push:${id}`, payload });
	}
	return {
		state: (): PushState => ({
			publicKey: pushStore.keys().publicKey,
			browsers: pushStore
				.browsers()
				.map(({ id, endpoint, since }) => ({ id, since, service: new URL(endpoint).hostname })),
		}),
		async subscribe(subscription: PushSubscription, by: Principal): Promise<void> {
			await record(pushId(subscription.endpoint), 'subscribe', by);
			pushStore.add(subscription, by.sessionHash);
		},
		async remove(id: string, by: Principal): Promise<void> {
			if (!pushStore.browsers().some((one) => one.id === id)) throw new AppError('push/not-found');
			await record(id, 'remove', by);
			pushStore.remove(id);
		},
	};
}

export type PushService = ReturnType<typeof createPushService>;
