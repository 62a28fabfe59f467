import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '#hooks-bridge/disk/write-files.ts';
import { openHubDatabase } from '#server/hub/database/database.ts';
import { startPostgres } from '#server/hub/testing/postgres-cluster.ts';
import { startRedis } from '#server/hub/testing/redis-server.ts';
import { startStandInS3 } from '#server/hub/testing/stand-in-s3.ts';
import { createArchives } from '#server/hub/timelines/archives.ts';
import { openObjectStore } from '#server/hub/timelines/object-store.ts';
import { packSession } from '#server/hub/timelines/pack-session.ts';
import { readObjectsUrl } from '#server/process/objects-url.ts';
import { startTcpFront } from '#server/testing/tcp-front.ts';
import { asLine, samplePrompt } from '#server/testing/timeline-rig.ts';
import { expect } from '../fixtures.ts';
import { bareEnvironment } from './bare-environment.ts';
import { SIGNALBOX } from './repository.ts';
import { freePort, linkOf } from './running-server.ts';
import { signalbox } from './signalbox-command.ts';

const METRICS_TOKEN = 'numbers of the replicas';
const S3_KEY = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret' };

const newHome = () => realpathSync(mkdtempSync(join(tmpdir(), 'sbx-hub-')));

/** A running hub and its machines. */
export type TestHub = Awaited<ReturnType<typeof startHub>>;

/**
 * A hub over a database of its own, and machines that push to it by hand. Several replicas stand behind a proxy and have a
 * Redis. Passkeys need the name of a host.
 */
export async function startHub(replicas = 1, host = '127.0.0.1') {
	const cluster = await startPostgres();
	const redis = replicas > 1 ? await startRedis() : undefined;
	const s3 = await startStandInS3();
	const env = {
		SIGNALBOX_OBJECTS_URL: s3.url,
		...S3_KEY,
		SIGNALBOX_DATABASE_URL: await cluster.database(),
		SIGNALBOX_METRICS_TOKEN: METRICS_TOKEN,
		...(redis && { SIGNALBOX_REDIS_URL: redis.url }),
	};
	const ports: number[] = [];
	while (ports.length < replicas) ports.push(await freePort());
	const front = await startTcpFront(ports);
	const url = `http://${host}:${front.port}`;
	const home = newHome();
	const homes = [home];
	const running: (ChildProcess | undefined)[] = [];
	let output = '';

	async function start(at: number) {
		const hub = spawn(process.execPath, [SIGNALBOX, 'hub', '--url', url, '--port', String(ports[at])], {
			cwd: home,
			env: bareEnvironment({ OVERTONE_HOME: home, HOME: home, ...env }),
			stdio: ['ignore', 'pipe', 'pipe'],
		});
		running[at] = hub;
		let ownOutput = '';
		await new Promise<void>((resolve, reject) => {
			const read = (text: string) => {
				ownOutput += text;
				output += text;
				if (ownOutput.includes('/login#')) resolve();
			};
			hub.stdout?.setEncoding('utf8').on('data', read);
			hub.stderr?.setEncoding('utf8').on('data', read);
			hub.once('exit', () => reject(new Error(`The hub ended:\n${ownOutput}`)));
		});
	}
	async function end(at: number, signal: NodeJS.Signals) {
		const hub = running[at];
		if (!hub || hub.exitCode !== null || hub.signalCode !== null) return;
		const ended = once(hub, 'exit');
		hub.kill(signal);
		await ended;
	}
	for (const at of ports.keys()) await start(at);

	/** Makes the only passkey of an admin root, and starts the hub again. */
	async function makeRoot() {
		const [id = ''] = (await signalbox(home, ['hub', 'root'], home, env)).split('\t');
		await signalbox(home, ['hub', 'root', 'passkey', '--url', url, '--', id], home, env);
		await end(0, 'SIGTERM');
		await start(0);
	}

	/** Runs the line of a code on a machine of its own. */
	async function joinBy(line: string, name: string): Promise<string> {
		const own = newHome();
		homes.push(own);
		const code = /'(.+)'/.exec(line)?.[1] ?? '';
		await signalbox(own, ['join', url, code, '--all', '--name', name]);
		return own;
	}

	/** The line of a new code. */
	const newLine = (team: string) => signalbox(home, ['hub', 'code', '--url', url, '--team', team], home, env);

	/** Makes a home that is there already a machine of a team, with a level. */
	async function joinAt(own: string, name: string, team: string, decide: string) {
		const line = await newLine(team);
		const code = /'(.+)'/.exec(line)?.[1] ?? '';
		await signalbox(own, ['join', url, code, '--all', '--name', name, '--decide', decide]);
	}

	/** A machine that has joined; `tell` writes a line of a session, and what is to stand after it, and pushes them. */
	async function machine(name: string, team: string, line = newLine(team)) {
		const own = await joinBy(await line, name);
		return async (sessionId: string, n: number, prompt: string, ...more: Record<string, unknown>[]) => {
			makeFolder(join(own, 'sessions', sessionId));
			for (const [at, fields] of [{ prompt }, ...more].entries()) {
				const event = samplePrompt(sessionId, n + at, { project: 'shop', ts: new Date().toISOString(), ...fields });
				appendFileSync(join(own, 'sessions', sessionId, 'timeline.jsonl'), asLine(event));
			}
			await signalbox(own, ['push', '--wait', '30']);
		};
	}

	/** Sets what the machines of a team hold back. */
	async function setPolicy(team: string, body: object) {
		writeFileSync(join(home, 'rules.json'), JSON.stringify(body));
		await signalbox(home, ['hub', 'policy', 'set', 'rules.json', '--team', team, '--url', url], home, env);
	}

	/** Packs a session into the object store, as a job of the hub does once it is cold. */
	async function archive(edge: number, sessionId: string) {
		const objectStore = readObjectsUrl(s3.url);
		if (!objectStore) throw new Error('The stand-in has no address.');
		Object.assign(process.env, S3_KEY);
		const store = openObjectStore(objectStore);
		const database = openHubDatabase(env.SIGNALBOX_DATABASE_URL, () => undefined);
		const [{ key } = { key: 0 }] = await database.query<{ key: number }>(
			'SELECT key FROM sessions WHERE edge = $1 AND session_id = $2',
			[edge, sessionId],
		);
		const folder = newHome();
		await packSession({ database, store, archives: createArchives(store), folder, now: Date.now }, key);
		await database.close();
		rmSync(folder, { recursive: true });
	}

	return {
		newLine,
		archive,
		setPolicy,
		makeRoot,
		/** Resolves once the machine has taken a roster with somebody in it. */
		async rosterDone() {
			const { query, close } = openHubDatabase(env.SIGNALBOX_DATABASE_URL, () => undefined);
			const isDone = async () =>
				(
					await query(
						`SELECT 1 FROM rosters r JOIN edges e ON e.team = r.team JOIN roster_sends s ON s.edge = e.id AND s.version = r.version
						WHERE r.entries <> '[]' AND NOT EXISTS (SELECT 1 FROM commands WHERE kind = 'roster' AND state = 'waiting')`,
					)
				).length;
			await expect.poll(isDone, { timeout: 20_000 }).toBe(1);
			await close();
		},
		link: () => linkOf(output).href,
		errors: () => output.match(/^\S+ error .*/gm) ?? [],
		database: env.SIGNALBOX_DATABASE_URL,
		s3,
		joinBy,
		joinAt,
		machine,
		/** kill -9 for the replica that a page watches most at. */
		async killWatched() {
			const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
			const heard = ports.map(
				async (port) => (await (await fetch(`http://127.0.0.1:${port}/health`, { headers })).json()).hints.topics,
			);
			const topics: number[] = await Promise.all(heard);
			await end(topics.indexOf(Math.max(...topics)), 'SIGKILL');
		},
		async stop() {
			for (const at of ports.keys()) await end(at, 'SIGTERM');
			await front.stop();
			await cluster.remove();
			await redis?.remove();
			await s3.stop();
			for (const each of homes) rmSync(each, { recursive: true, force: true });
		},
	};
}
