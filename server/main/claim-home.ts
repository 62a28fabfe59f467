import { chmodSync } from 'node:fs';
import http from 'node:http';
import { dirname, join } from 'node:path';
import { syncFolder } from '#hooks-bridge/disk/write-durably.ts';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { type InstanceLock, takeInstanceLock } from '../door/instance-lock.ts';
import type { DoorThread } from '../door/start-door-thread.ts';
import type { ServerEnvironment } from '../process/env.ts';
import { listenOnLoopback } from '../process/listen-on-loopback.ts';
import type { Log } from '../process/log.ts';
import type { Holder } from '../process/server-holder.ts';

/** Functions that close what was opened, in the order of opening. */
export type Closers = (() => Promise<void> | void)[];

/** A home that no other server serves, with hooks answered. */
export interface ClaimedHome {
	lock: InstanceLock;
	door: DoorThread;
}

/** Another server serves the home; null if it does not say which. */
export interface ServedHome {
	holder: Holder | null;
}

/**
 * Locks the home and answers its hooks before the rest is loaded, since a hook without a socket starts a program of its own.
 * `closers` undo it. Rejects first if the port is taken; returns the other server if one runs.
 */
export async function claimHome(
	env: ServerEnvironment,
	{ door, log, closers }: { door: DoorThread; log: Log; closers: Closers },
): Promise<ClaimedHome | ServedHome> {
	const { home, port } = env;
	makeFolder(join(home, 'sessions'));
	chmodSync(home, 0o700);
	for (const folder of [home, dirname(home)]) syncFolder(folder);
	const instance = takeInstanceLock(join(home, 'server.lock'), (message) => log.warn(message));
	if (!instance.taken) return { holder: instance.holder };
	closers.push(() => instance.lock.release());
	// A second home on the same port must fail before it answers a hook.
	const leavePort = await listenOnLoopback(http.createServer(), port);
	await leavePort();
	await door.listen();
	closers.push(() => door.close());
	return { lock: instance.lock, door };
}
