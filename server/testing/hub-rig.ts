import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { io as connect, type Socket } from 'socket.io-client';
import { SESSION_HEADER, sessionProtocols } from '#lib/contract/access/session-token.ts';
import type { ClientToServer, ServerToClient } from '#lib/contract/realtime/wire.ts';
import type { HubRole } from '#lib/hub/may.ts';
import { withCredentials } from '../access/credentials.ts';
import { joinHub } from '../edge/join-hub.ts';
import type { Membership } from '../edge/membership.ts';
import { type Pusher, startPusher } from '../edge/pusher.ts';
import { openHubDatabase } from '../hub/database/database.ts';
import { openHubIdentity } from '../hub/database/hub-key.ts';
import { createEdgeStore } from '../hub/edges/edge-store.ts';
import type { OidcConfig } from '../hub/people/oidc.ts';
import { createPeopleStore, type PeopleStore } from '../hub/people/people-store.ts';
import { createSignInStore, type SignInStore } from '../hub/people/sign-ins.ts';
import { startHub } from '../hub/replica/hub-server.ts';
import type { ObjectStore } from '../hub/timelines/object-store.ts';
import { rootFingerprint } from '../hub-protocol/signatures.ts';
import { openHubPages } from '../main/open-hub-pages.ts';
import { freePort } from '../process/free-port.ts';
import { createLog } from '../process/log.ts';
import { createTimelineRig } from './timeline-rig.ts';

const ALL: Membership['share'] = { projects: 'all', content: 'all' };
/** With which its numbers are read. */
const METRICS_TOKEN = 'a token of sixteen characters';
const QUICK = { leastMs: 20, mostMs: 100 };

/**
 * A replica with its pages over a database, in this process; `home` is another replica's whose key it shares. `behind` is
 * the address of a proxy that browsers know it by, and `checkMs` how often it looks who may come in.
 */
export async function startHubRig(
	databaseUrl: string,
	home = mkdtempSync(join(tmpdir(), 'signalbox-hub-')),
	redisUrl?: string,
	{ behind, checkMs, oidc, objects }: { behind?: URL; checkMs?: number; oidc?: OidcConfig; objects?: ObjectStore } = {},
) {
	const port = await freePort();
	const url = behind ?? new URL(`http://127.0.0.1:${port}`);
	const lines: string[] = [];
	const log = createLog((line) => void lines.push(line));
	const identity = openHubIdentity({ home, path: undefined, origin: url.origin, name: 'test hub' });
	const hub = await startHub({
		...{ databaseUrl, redisUrl, identity, host: '127.0.0.1', port, log, metricsToken: METRICS_TOKEN, objects },
		pages: (base) => openHubPages(base, { home, url, log, oidc, ...(checkMs !== undefined && { checkMs }) }),
	});
	const pushers: Pusher[] = [];
	const sockets: Socket[] = [];

	/** Joins a home, which has a journal, and pushes it. */
	async function joinHome(machineHome: string, name: string, { team = 'shop', share = ALL } = {}) {
		const database = openHubDatabase(databaseUrl, () => undefined);
		const secret = await createEdgeStore(database.query).mintCode(team, 1, 10);
		await database.close();
		const code = `${secret}#${rootFingerprint(identity.root)}`;
		const { membership } = await joinHub(machineHome, { url: url.origin, code, name, share });
		const start = () => {
			const made = startPusher({ home: machineHome, membership, log, backoff: QUICK });
			pushers.push(made);
			return made;
		};
		return { edge: membership.edge, membership, pusher: start(), start };
	}

	/** A machine that has joined, by its name. */
	async function machine(name: string, team = 'shop') {
		const rig = createTimelineRig();
		// An edge has a journal, as every server's home does.
		await withCredentials(rig.home, async () => undefined);
		const { edge, pusher } = await joinHome(rig.home, name, { team });
		return {
			edge,
			/** Writes lines into a session and pushes them. */
			send(sessionId: string, text: string) {
				rig.append(sessionId, text);
				pusher.pushNewLines(sessionId);
			},
		};
	}

	/** Works on the people of this hub, as a command does. */
	async function withPeople<T>(work: (people: PeopleStore, signIns: SignInStore) => Promise<T>): Promise<T> {
		const database = openHubDatabase(databaseUrl, () => undefined);
		try {
			return await work(createPeopleStore(database.query), createSignInStore(database.query));
		} finally {
			await database.close();
		}
	}

	/** A person whom no provider knows, with these roles. */
	async function person(sub: string, roles: readonly HubRole[] = []): Promise<number> {
		return withPeople(async (people) => {
			const { id } = await people.know({ iss: 'https://test.example', sub, name: sub, email: null });
			for (const role of roles) await people.give(id, role);
			return id;
		});
	}

	/** A browser that has come by a fresh link: the owner's, or that of a person. */
	async function signIn(who?: number) {
		const token = await withPeople(async (people, signIns) => signIns.mintLink(who ?? (await people.owner())));
		const answer = await fetch(`${url.origin}/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', origin: url.origin },
			body: JSON.stringify({ token }),
		});
		const { sessionToken } = (await answer.json()) as { sessionToken: string };
		const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
		const headers = { cookie, [SESSION_HEADER]: sessionToken };
		return {
			cookie: answer.headers.get('set-cookie') ?? '',
			headers,
			sessionToken,
			get: (path: string) => fetch(`${url.origin}${path}`, { headers }),
			post: (path: string, body: unknown, more: Record<string, string> = {}) =>
				fetch(`${url.origin}${path}`, {
					method: 'POST',
					headers: { ...headers, ...more, origin: url.origin, 'content-type': 'application/json' },
					body: JSON.stringify(body),
				}),
			/** Its live connection. */
			async connect(): Promise<Socket<ServerToClient, ClientToServer>> {
				const socket: Socket<ServerToClient, ClientToServer> = connect(url.origin, {
					transports: ['websocket'],
					forceNew: true,
					protocols: sessionProtocols(sessionToken),
					extraHeaders: { cookie, origin: url.origin },
				});
				sockets.push(socket);
				await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('connect_error', reject));
				return socket;
			},
		};
	}

	/** A line of its numbers, by what stands before the value. */
	async function numberOf(sample: string): Promise<number | undefined> {
		const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
		const text = await (await fetch(`http://127.0.0.1:${port}/metrics`, { headers })).text();
		const line = text.split('\n').find((one) => one.startsWith(`${sample} `));
		return line === undefined ? undefined : Number(line.slice(sample.length));
	}

	return {
		...{ home, port, url, lines, machine, joinHome, person, withPeople, signIn, numberOf },
		async stop() {
			for (const socket of sockets) socket.disconnect();
			for (const pusher of pushers) pusher.stop();
			await hub.drain();
			rmSync(home, { recursive: true, force: true });
		},
	};
}
