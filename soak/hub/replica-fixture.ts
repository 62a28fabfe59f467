import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SESSION_HEADER } from '#lib/contract/access/session-token.ts';
import { withCredentials } from '#server/access/credentials.ts';
import { joinHub } from '#server/edge/join-hub.ts';
import { type Pusher, startPusher } from '#server/edge/pusher.ts';
import { openHubIdentity } from '#server/hub/database/hub-key.ts';
import { createEdgeStore } from '#server/hub/edges/edge-store.ts';
import { createPeopleStore } from '#server/hub/people/people-store.ts';
import { createSignInStore } from '#server/hub/people/sign-ins.ts';
import { openStore } from '#server/hub/testing/hub-rig.ts';
import { startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { startRedis } from '#server/hub/testing/redis-server.ts';
import { rootFingerprint } from '#server/hub-protocol/signatures.ts';
import { freePort } from '#server/process/free-port.ts';
import { createLog } from '#server/process/log.ts';
import { builtChild } from '#server/testing/built-child.ts';
import { startTcpFront } from '#server/testing/tcp-front.ts';
import { createTimelineRig } from '#server/testing/timeline-rig.ts';
import { openViewer, type SignedIn } from './viewer.ts';

const QUICK = { leastMs: 20, mostMs: 300 };

/**
 * A hub of several replicas, in processes of their own, over a Postgres and a Redis of their own, with machines that push to
 * it through one proxy, as behind any. Each replica has a proxy of its own, too, for viewers that stay with it.
 */
export async function startReplicaFixture({ replicas, machines }: { replicas: number; machines: number }) {
	const [cluster, redis, program] = await Promise.all([startPostgres(), startRedis(), builtChild('hub-child')]);
	const databaseUrl = await cluster.database();
	const { database, store } = openStore(databaseUrl);
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const ports: number[] = [];
	while (ports.length < replicas) ports.push(await freePort());
	const front = await startTcpFront(ports);
	const redisFront = await startTcpFront([redis.port]);
	const ownFronts = await Promise.all(ports.map((port) => startTcpFront([port])));
	const fronts = [front, redisFront, ...ownFronts];
	const url = new URL(`http://127.0.0.1:${front.port}`);
	const identity = openHubIdentity({ home, path: undefined, origin: url.origin, name: 'test hub' });
	const running: (ChildProcess | undefined)[] = ports.map(() => undefined);
	/** What ended otherwise than it was told to. */
	const fallen: string[] = [];
	let output = '';

	async function start(at: number) {
		const args = [databaseUrl, home, String(ports[at]), `redis://127.0.0.1:${redisFront.port}`, url.href];
		const child = fork(program, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
		running[at] = child;
		child.stderr?.setEncoding('utf8').on('data', (text: string) => {
			output = `${output}${text}`.slice(-20_000);
		});
		child.once('exit', (code, signal) => {
			if (signal !== 'SIGKILL') fallen.push(`replica ${at} ended with ${code ?? signal}:\n${output}`);
		});
		await Promise.race([once(child, 'message'), once(child, 'exit')]);
	}
	async function kill(at: number) {
		const child = running[at];
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		const gone = once(child, 'exit');
		child.kill('SIGKILL');
		await gone;
	}
	await Promise.all(ports.map((_, at) => start(at)));

	const pushers: Pusher[] = [];
	const edges = createEdgeStore(database.query);
	async function addMachine(name: string) {
		const rig = createTimelineRig();
		// An edge has a journal, as every server's home does.
		await withCredentials(rig.home, async () => undefined);
		const code = `${await edges.mintCode('team', 1, 10)}#${rootFingerprint(identity.root)}`;
		const share = { projects: 'all', content: 'all' } as const;
		const { membership } = await joinHub(rig.home, { url: url.origin, code, name, share });
		const pusher = startPusher({ home: rig.home, membership, log: createLog(() => undefined), backoff: QUICK });
		pushers.push(pusher);
		return {
			edge: membership.edge,
			home: rig.home,
			state: pusher.state,
			tell(sessionId: string, text: string) {
				rig.append(sessionId, text);
				pusher.pushNewLines(sessionId);
			},
		};
	}
	const joined: Awaited<ReturnType<typeof addMachine>>[] = [];
	while (joined.length < machines) joined.push(await addMachine(`machine ${joined.length}`));

	/** The sign-in of a browser, by a fresh link. */
	async function signIn(): Promise<SignedIn> {
		const signIns = createSignInStore(database.query);
		const token = await signIns.mintLink(await createPeopleStore(database.query).owner());
		const answer = await fetch(`${url.origin}/login`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', origin: url.origin },
			body: JSON.stringify({ token }),
		});
		const { sessionToken } = (await answer.json()) as { sessionToken: string };
		const cookie = answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
		return { headers: { cookie, [SESSION_HEADER]: sessionToken }, sessionToken };
	}

	return {
		...{
			cluster,
			redis,
			front,
			fronts,
			ports,
			url,
			store,
			machines: joined,
			fallen,
			start,
			kill,
			signIn,
			replicas: running,
		},
		/** A viewer that stays with one replica. */
		watch: (at: number, signedIn: SignedIn, names: readonly string[]) =>
			openViewer({ port: ownFronts[at]?.port ?? 0, url, signedIn }, names),
		async stop() {
			for (const pusher of pushers) pusher.stop();
			await Promise.all(running.map((_, at) => kill(at)));
			for (const each of fronts) await each.stop();
			await store.close();
			await cluster.remove();
			await redis.remove();
			for (const each of [home, ...joined.map((machine) => machine.home)])
				rmSync(each, { recursive: true, force: true });
		},
	};
}

export type ReplicaFixture = Awaited<ReturnType<typeof startReplicaFixture>>;
