import { describe, expect, test, vi } from 'vitest';
import type {
	EventBatch,
	ServerToClient,
	SessionSnapshot,
	SessionsUpdate,
	Topic,
} from '#lib/contract/realtime/wire.ts';
import { WIRE_VERSION } from '#lib/contract/realtime/wire-version.ts';
import type { SourceOptions } from '#lib/contract/sessions/session-queries.ts';
import { openHubDatabase } from '../hub/database/database.ts';
import { createEdgeStore } from '../hub/edges/edge-store.ts';
import { postgresPrograms, startPostgres } from '../hub/testing/postgres-cluster.ts';
import { makeKey } from '../hub-protocol/signatures.ts';
import type { startHubRig } from '../testing/hub-rig.ts';
import { hubsOfTests } from '../testing/hubs-of-tests.ts';
import { asLine, samplePrompt } from '../testing/timeline-rig.ts';

vi.setConfig({ testTimeout: 60_000 });

const line = (id: string, n: number) => asLine(samplePrompt(id, n, { project: 'shop', cwd: '/srv/shop' }));

describe.runIf(postgresPrograms !== undefined)('pages of a hub', () => {
	const { newDatabase, open, start } = hubsOfTests();
	type Client = Awaited<ReturnType<Awaited<ReturnType<typeof startHubRig>>['signIn']>>;

	/** Everything that a browser is sent of one topic. */
	async function follow(client: Client, topic: Topic) {
		const socket = await client.connect();
		const got = { updates: [] as SessionsUpdate[], snapshots: [] as SessionSnapshot[], batches: [] as EventBatch[] };
		const collect =
			<Sent>(into: Sent[]) =>
			(sent: Sent) =>
				void into.push(sent);
		const listeners: Partial<ServerToClient> = {
			sessions: collect(got.updates),
			snapshot: collect(got.snapshots),
			events: collect(got.batches),
		};
		socket.on('sessions', listeners.sessions ?? (() => undefined));
		socket.on('snapshot', listeners.snapshot ?? (() => undefined));
		socket.on('events', listeners.events ?? (() => undefined));
		const reply = await socket.emitWithAck('subscribe', { version: WIRE_VERSION, topic, epoch: null, since: 0 });
		return { got, reply };
	}

	test('R1970 two machines push, and one browser sees both in the list and reads a story live, named by its machine', async () => {
		const hub = await start(await newDatabase());
		const [laptop, desktop] = [await hub.machine('laptop'), await hub.machine('desktop', 'web')];
		const client = await hub.signIn();
		const list = await follow(client, 'sessions');
		laptop.send('s1', line('s1', 1));
		desktop.send('s1', line('s1', 2));
		const listed = () => list.got.updates.flatMap(({ sessions }) => sessions);
		await vi.waitFor(() => {
			const names = new Map(listed().map(({ sessionId, machine, project }) => [sessionId, { machine, project }]));
			expect(names.get(`${laptop.edge}/s1`)).toEqual({
				machine: { name: 'laptop', team: 'shop', level: 'watch', grants: 'never' },
				project: 'shop',
			});
			expect(names.get(`${desktop.edge}/s1`)?.machine).toEqual({
				name: 'desktop',
				team: 'web',
				level: 'watch',
				grants: 'never',
			});
		}, 20_000);

		const name = `${laptop.edge}/s1`;
		const story = await follow(client, `session:${name}`);
		expect(story.reply).toEqual({ ok: true });
		await vi.waitFor(() => expect(story.got.snapshots).toHaveLength(1));
		expect(story.got.snapshots[0]?.view).toMatchObject({ sessionId: name, machine: { name: 'laptop' }, seq: 1 });
		laptop.send('s1', line('s1', 3));
		await vi.waitFor(() => {
			expect(story.got.batches.flatMap(({ events }) => events)).toMatchObject([{ id: 'e3', seq: 2, sessionId: name }]);
		}, 20_000);

		const rows = await client.get(`/api/sessions/${name}/rows`);
		expect((await rows.json()).rows.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2]);
		expect((await (await client.get(`/api/sessions/${name}`)).json()).session).toMatchObject({
			sessionId: name,
			seq: 2,
		});
		expect((await client.get(`/api/sessions/${name}/rows/x`)).status).toBe(404);
		expect((await client.get('/api/sessions/s1')).status).toBe(404);
		expect(await (await client.get('/api/places')).json()).toMatchObject({
			teams: ['shop', 'web'],
			projects: ['shop'],
			machines: [{ name: 'desktop' }, { name: 'laptop' }],
		});
		expect(hub.lines.filter((logged) => logged.includes(' error '))).toEqual([]);
	});

	test('what one replica has written is seen at another without a notice: it reads by itself', async () => {
		const url = await newDatabase();
		const one = await start(url);
		const other = await start(url, one.home);
		const laptop = await one.machine('laptop');
		laptop.send('s1', line('s1', 1));
		const client = await other.signIn();
		const list = await follow(client, 'sessions');
		await vi.waitFor(() => {
			expect(list.got.updates.flatMap(({ sessions }) => sessions)).toMatchObject([{ sessionId: `${laptop.edge}/s1` }]);
			expect(list.got.updates.at(-1)?.counts.all).toBe(1);
		}, 20_000);
		const story = await follow(client, `session:${laptop.edge}/s1`);
		for (let n = 2; n < 5; n += 1) laptop.send('s1', line('s1', n));
		await vi.waitFor(() => {
			const seqs = story.got.batches.flatMap(({ events }) => events.map(({ seq }) => seq));
			expect([story.got.snapshots[0]?.view.seq ?? 0, ...seqs].at(-1)).toBe(4);
		}, 20_000);
	});

	test('the list is narrowed by machine, team, project and words, and counts what it shows', async () => {
		const hub = await start(await newDatabase());
		const [laptop, desktop] = [await hub.machine('laptop'), await hub.machine('desktop', 'web')];
		for (const id of ['s1', 's2']) laptop.send(id, line(id, 1));
		desktop.send('s3', asLine(samplePrompt('s3', 1, { project: 'site', cwd: '/srv/site' })));
		const client = await hub.signIn();
		const find = async (query: string) => {
			const page = await (await client.get(`/api/sessions?${query}`)).json();
			return {
				ids: page.sessions.map(({ sessionId }: { sessionId: string }) => sessionId).sort(),
				all: page.counts.all,
			};
		};
		const ofLaptop = [`${laptop.edge}/s1`, `${laptop.edge}/s2`];
		const ofDesktop = [`${desktop.edge}/s3`];
		await vi.waitFor(async () => expect((await find('')).all).toBe(3), 20_000);
		expect(await find('machine=laptop')).toEqual({ ids: ofLaptop, all: 2 });
		expect(await find('team=web')).toEqual({ ids: ofDesktop, all: 1 });
		expect(await find('project=site')).toEqual({ ids: ofDesktop, all: 1 });
		expect(await find('project=site&machine=laptop')).toEqual({ ids: [], all: 0 });
		expect(await find('q=DESKTOP')).toEqual({ ids: ofDesktop, all: 1 });
	});

	test('each machine says how many of its sessions run, and how many calls were denied there', async () => {
		const hub = await start(await newDatabase());
		const [laptop, desktop] = [await hub.machine('laptop'), await hub.machine('desktop', 'web')];
		const call = { project: 'shop', toolUseId: 'c1', category: 'tool', label: 'Call', tool: 'Bash', input: {} };
		const denial = { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, form: 'deny' };
		for (const id of ['s1', 's2']) laptop.send(id, line(id, 1));
		laptop.send('s1', asLine(samplePrompt('s1', 2, { ...call, type: 'tool:call' })));
		laptop.send(
			's1',
			asLine(samplePrompt('s1', 3, { ...call, ...denial, type: 'gate:verdict', ts: new Date().toISOString() })),
		);
		desktop.send('s3', line('s3', 1));
		// What was denied long ago and comes only now is none of these.
		desktop.send('s3', asLine(samplePrompt('s3', 2, { ...call, type: 'tool:call' })));
		desktop.send('s3', asLine(samplePrompt('s3', 3, { ...call, ...denial, type: 'gate:verdict' })));
		// Teams are numbered as they come.
		const ofWeb = await hub.signIn(await hub.person('watcher', [{ role: 'viewer', team: 2 }]));
		const counts = async (client: Client) => {
			const { machines } = await (await client.get('/api/places')).json();
			return machines.map(({ name, running, waiting, denied }: SourceOptions['machines'][number]) => [
				name,
				running,
				waiting,
				denied,
			]);
		};
		const owner = await hub.signIn();
		await vi.waitFor(
			async () =>
				expect(await counts(owner)).toEqual([
					['desktop', 1, 0, 0],
					['laptop', 2, 0, 1],
				]),
			20_000,
		);
		expect(await counts(ofWeb)).toEqual([['desktop', 1, 0, 0]]);
	});

	test('without a link nothing of a hub is visible; with one a person watches, and learns where everything else is done', async () => {
		const hub = await start(await newDatabase());
		const laptop = await hub.machine('laptop');
		laptop.send('s1', line('s1', 1));
		const outsider = (path: string) =>
			fetch(`${hub.url.origin}${path}`, { headers: { accept: 'text/html' }, redirect: 'manual' });
		expect((await outsider('/')).headers.get('location')).toBe('/login');
		expect((await outsider('/api/sessions')).status).toBe(401);
		expect(await (await outsider('/login')).text()).toContain('hub open</code>');
		expect((await outsider('/health')).status).toBe(200);
		const client = await hub.signIn(await hub.person('ann', [{ role: 'viewer' }]));
		expect(await (await client.get('/api/me')).json()).toMatchObject({
			role: 'viewer',
			tier: 'H0',
			hub: { name: 'ann' },
		});
		for (const path of ['/api/status', '/api/rules', `/api/sessions/${laptop.edge}/s1/notes`]) {
			const answer = await client.get(path);
			expect([path, answer.status, (await answer.json()).error.code]).toEqual([path, 404, 'hub/at-machine']);
		}
		// Nobody decides here, whatever the sign-in.
		expect((await client.post('/api/approvals/approval-1', { decision: 'approve' })).status).toBe(403);
		const cookie = client.cookie.split(';', 1)[0] ?? '';
		const byOtherName = `http://localhost:${hub.url.port}/api/sessions`;
		expect((await fetch(byOtherName, { headers: { cookie } })).status).toBe(401);
	});

	test('a NUL and a key that has joined already are refused as the sender’s mistakes', async () => {
		const databaseUrl = await newDatabase();
		const hub = await start(databaseUrl);
		const owner = await hub.signIn();
		for (const path of ['sessions?project', 'sessions?team', 'sessions?machine', 'hub/edges?q', 'hub/edges?team']) {
			const answer = await owner.get(`/api/${path}=a%00`);
			expect([path, answer.status, (await answer.json()).error.code]).toEqual([path, 400, 'request/invalid']);
		}
		const database = openHubDatabase(databaseUrl, () => undefined);
		const code = await createEdgeStore(database.query).mintCode('shop', 2, 10);
		await database.close();
		const join = (key: string) =>
			fetch(`${hub.url.origin}/edge/join`, {
				method: 'POST',
				body: JSON.stringify({ code, key, name: 'laptop', version: '1' }),
			});
		const [one, other] = [makeKey().publicKey, makeKey().publicKey];
		expect((await join(one)).status).toBe(200);
		const again = await join(one);
		expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('signalbox leave')]);
		expect((await join(other)).status, 'its code is as good as before').toBe(200);
		expect(hub.lines.filter((logged) => logged.includes(' error '))).toEqual([]);
	});

	test('while the database is away a sign-in or a question is answered with that, and the link is good afterwards', async () => {
		const cluster = await startPostgres();
		open.push(cluster.remove);
		const hub = await start(await cluster.database());
		const client = await hub.signIn();
		const token = await hub.withPeople(async (people, signIns) => signIns.mintLink(await people.owner()));
		const signIn = () =>
			fetch(`${hub.url.origin}/login`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', origin: hub.url.origin },
				body: JSON.stringify({ token }),
			});
		await cluster.crash();
		try {
			for (const pending of [signIn(), client.get('/api/me'), client.get('/api/hub/policies')]) {
				const answer = await pending;
				expect([answer.status, await answer.json()]).toEqual([
					503,
					{ error: { code: 'hub/database', message: 'The hub cannot reach its database. Try again in a moment.' } },
				]);
			}
			const page = await fetch(`${hub.url.origin}/login`, { headers: { accept: 'text/html' } });
			expect(await page.text()).toContain('a link that was not used yet is still good');
		} finally {
			await cluster.start();
		}
		await vi.waitFor(async () => expect((await signIn()).status).toBe(200), { timeout: 20_000 });
	});
});
