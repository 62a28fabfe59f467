import { hash } from 'node:crypto';
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { archiveFeature } from '#hooks-bridge/features/archive-feature.ts';
import { newFeature } from '#hooks-bridge/features/open-feature.ts';
import {
	type FeatureDetail,
	type FeatureRecord,
	type FeatureSheet,
	MAX_FEATURE_FILES,
} from '#lib/contract/archives/features.ts';
import type { PartAnswer, Recording } from '#lib/contract/archives/replay.ts';
import { encodeEdgeFrame } from '#lib/hub/frame.ts';
import { createSharedFeatures } from '../../edge/shared-features.ts';
import { createSharedSessions } from '../../edge/shared-sessions.ts';
import { packBody } from '../../hub-protocol/pack-body.ts';
import { createLog } from '../../process/log.ts';
import { readObjectsUrl } from '../../process/objects-url.ts';
import { type FeaturesRig, openFeatures } from '../../testing/features-rig.ts';
import { startHubRig } from '../../testing/hub-rig.ts';
import { type HubDatabase, openHubDatabase } from '../database/database.ts';
import { createEdgeStore } from '../edges/edge-store.ts';
import { packColdSessions } from '../jobs/retire-sessions.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, joinMachine } from '../testing/simulated-edge.ts';
import { startStandInS3 } from '../testing/stand-in-s3.ts';
import { createArchives } from '../timelines/archives.ts';
import { openObjectStore } from '../timelines/object-store.ts';
import { createFeatureStore } from './feature-intake.ts';

vi.setConfig({ testTimeout: 60_000 });

/** What a machine answers to a wish; null: it has it no more. */
const blobOf = (wish: { feature: string; digest: string }, bytes: Buffer | null) =>
	bytes === null
		? encodeEdgeFrame('blob', { ...wish, bytes: 0, gone: true })
		: encodeEdgeFrame('blob', { ...wish, bytes: bytes.length }, packBody(bytes));

const silent = createLog(() => undefined);
const LARGE = 'large '.repeat(9000);
const LARGE_SHA = hash('sha256', LARGE);

describe.runIf(postgresPrograms !== undefined)('archived features on their way to a hub', () => {
	const newDatabase = sharedDatabases();
	let s3: Awaited<ReturnType<typeof startStandInS3>>;
	let url: string;
	let database: HubDatabase;
	let rig: FeaturesRig;
	let hub: Awaited<ReturnType<typeof startHubRig>>;
	beforeAll(() => {
		vi.stubEnv('AWS_ACCESS_KEY_ID', 'test-key');
		vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test-secret');
	});
	afterAll(() => void vi.unstubAllEnvs());
	beforeEach(async () => {
		url = await newDatabase();
		s3 = await startStandInS3();
		database = openHubDatabase(url, () => undefined);
		rig = await openFeatures();
	});
	afterEach(async () => {
		await hub.stop();
		await rig.close();
		rig.remove();
		await database.close();
		await s3.stop();
	});

	const store = () => {
		const objectStore = readObjectsUrl(s3.url);
		if (!objectStore) throw new Error('no bucket');
		return openObjectStore(objectStore);
	};
	const start = async (home?: string) => {
		hub = await startHubRig(url, home, undefined, { objects: store() });
		return hub;
	};

	/** A feature with documents, a handoff and a large value, worked on by one session and archived. */
	async function archive(feature = 'cart', sessionId = 's1', sessions: string[] = []): Promise<string> {
		rig.say(sessionId, 'session:start', { cwd: rig.project, project: 'p' });
		newFeature(rig.project, feature, rig, { workflow: 'quick', tasks: ['DEV'], sessionId });
		const folder = join(rig.project, 'specs/features/in-progress', feature);
		writeFileSync(join(folder, 'plan.md'), `# secret plan of ${feature}\n`);
		const session = join(rig.home, 'sessions', sessionId);
		for (const name of ['blobs', 'handoffs']) mkdirSync(join(session, name), { recursive: true });
		writeFileSync(join(session, 'blobs', LARGE_SHA), LARGE);
		writeFileSync(join(session, 'handoffs', 'dev.md'), `secret handoff of ${feature}`);
		rig.say(sessionId, 'prompt:submit', { prompt: 'secret prompt', source: 'user' });
		rig.say(sessionId, 'session:end', { reason: 'exit' });
		const outcome = archiveFeature(rig.project, feature, { ...rig, sessions, append: rig.ports.append });
		if (!outcome.ok) throw new Error(outcome.detail);
		await rig.whenSettled();
		return outcome.id;
	}

	interface Line {
		id: string;
		team: number;
		edge: number;
		project: string;
		sheet: string;
		digest: string;
		stored: boolean;
	}
	const lines = () => database.query<Line>('SELECT * FROM features ORDER BY edge, id');
	const untilKept = (count: number) =>
		vi.waitFor(async () => {
			const found = await lines();
			expect(found).toHaveLength(count);
			return found;
		}, 20_000);
	const sheetOf = ({ sheet }: Line) => JSON.parse(sheet) as FeatureSheet;
	const objects = () => [...s3.objects.keys()].filter((name) => name.includes('/features/'));
	const textsInStore = () => objects().map((name) => gunzipSync(s3.objects.get(name) ?? '').toString());

	test('an archive comes with its documents, handoffs and large values, each in the store by its digest, and again as it changes', async () => {
		const id = await archive();
		const { edge, pusher } = await (await start()).joinHome(rig.home, 'm');
		const [line] = await untilKept(1);
		if (!line) throw new Error('nothing kept');
		expect(line).toMatchObject({ id, edge, project: 'p', stored: true, digest: hash('sha256', line.sheet) });
		const { feature, manifest, left, unshared } = sheetOf(line);
		const { feature: own, manifest: ownManifest } = await rig.service.detail(id);
		expect({ ...feature, makes: [] }).toEqual({ ...own, makes: [] });
		expect([feature.makes, left, unshared]).toEqual([['claude-code'], 0, 0]);
		expect(manifest.documents).toEqual(ownManifest?.documents);
		expect(manifest.sessions[0]?.files).toEqual(ownManifest?.sessions[0]?.files);
		expect(textsInStore().sort()).toEqual(
			expect.arrayContaining([LARGE, '# secret plan of cart\n', 'secret handoff of cart']),
		);
		const folder = `bucket/archives/${line.team}/${edge}/features/${id}`;
		expect(objects().every((name) => name.startsWith(`${folder}/`))).toBe(true);
		await vi.waitFor(() => expect(pusher.state()).toMatchObject({ state: 'connected', behind: 0 }));

		// It goes on: the new sheet takes the place of the old one, and no file is asked for again.
		s3.asked.length = 0;
		rig.say('s1', 'session:start', { cwd: rig.project });
		rig.say('s1', 'session:end', { reason: 'exit' });
		await rig.whenSettled();
		await pusher.announceFeatures();
		await vi.waitFor(async () => expect((await lines())[0]?.digest).not.toBe(line.digest), 20_000);
		expect(await lines()).toHaveLength(1);
		expect(s3.asked.filter((what) => what.startsWith('PUT'))).toEqual([]);
	});

	test('R2204 what a hub shows of an archive is what its machine shows: documents, files, and the recording at every event', async () => {
		const id = await archive();
		const { edge, pusher } = await (await start()).joinHome(rig.home, 'm');
		const whole = () => expect(pusher.state()).toMatchObject({ state: 'connected', behind: 0 });
		await vi.waitFor(whole, 20_000);
		const owner = await hub.signIn();
		const ask = async <T>(path: string) => (await (await owner.get(path)).json()) as T;
		const name = `${edge}/${id}`;
		const session = `${edge}/s1`;
		const named = (value: unknown) =>
			JSON.parse(JSON.stringify(value).replaceAll('"sessionId":"s1"', `"sessionId":"${session}"`));

		const [own, read] = [await rig.service.detail(id), await ask<FeatureDetail>(`/api/features/${name}`)];
		expect(read.feature).toMatchObject({ id: name, sessions: [session], machine: { name: 'm', team: 'shop' } });
		expect([read.documents, read.handoffs]).toEqual([own.documents, named(own.handoffs)]);
		expect([read.feature.tasks, read.feature.outcome?.durationMs]).toEqual([
			own.feature.tasks,
			own.feature.outcome?.durationMs,
		]);
		expect(read.hub).toEqual({ unshared: 0, left: 0, stored: true });
		expect(await (await owner.get(`/api/features/${name}/sessions/${session}/blobs/${LARGE_SHA}`)).text()).toBe(LARGE);

		const wound = async () => {
			const recording = await ask<Recording>(`/api/features/${name}/recording`);
			expect(recording.reading).toBeUndefined();
			return recording;
		};
		const recording = await vi.waitFor(wound, 20_000);
		expect(recording).toEqual(named(await rig.replay.recording(id)));
		const [outline] = recording.sessions;
		const of = `/api/features/${name}/sessions/${session}`;
		for (let seq = 1; seq <= (outline?.events ?? 0); seq += 1) {
			const [mine, theirs] = [await rig.replay.part(id, 's1', { seq }), await ask<PartAnswer>(`${of}/part?seq=${seq}`)];
			expect(theirs).toEqual(named(mine));
			const rows = await ask<{ rows: unknown }>(`${of}/rows?seq=${seq}&limit=100`);
			expect(rows.rows).toEqual(named(await rig.replay.rows(id, 's1', { seq, limit: 100 })));
		}
		const events = await ask<{ events: unknown[] }>(`${of}/events?limit=100`);
		expect(events.events).toEqual(named(await rig.replay.events(id, 's1', { after: 0, limit: 100 })));
		expect(events.events.length).toBeGreaterThan(4);
		const at = outline?.to ?? 0;
		const [here, there] = await Promise.all(
			['moment', 'chapters'].map((what) => ask(`/api/features/${name}/recording/${what}?at=${at}&kinds=stage,denial`)),
		);
		expect(here).toEqual(await rig.replay.moment(id, at));
		expect(there).toEqual(named(await rig.replay.chapters(id, at, ['stage', 'denial'], 100)));

		// It is found by its session, its team and its machine; and still there when the machine is gone.
		pusher.stop();
		const list = async (query: string) => (await ask<{ features: FeatureRecord[] }>(`/api/features?${query}`)).features;
		for (const query of [`session=${session}`, 'team=shop', 'machine=m', 'project=p', ''])
			expect(
				(await list(query)).map((found) => found.id),
				query,
			).toEqual([name]);
		for (const query of [`session=${edge}/s2`, 'session=s1', 'team=x', 'machine=x', 'project=x'])
			expect(await list(query), query).toEqual([]);

		// A store that is away keeps nobody from the recording.
		s3.setAway(true);
		const { documents } = await ask<FeatureDetail>(`/api/features/${name}`);
		expect(documents.map(({ text, cut }) => [text, cut])).toEqual(own.documents.map(() => ['', true]));
		expect(await wound()).toEqual(recording);
		// What was changed there is not shown.
		s3.setAway(false);
		for (const object of objects()) s3.objects.set(object, gzipSync('changed'));
		const changed = await ask<FeatureDetail>(`/api/features/${name}`);
		expect(changed.documents.every(({ text, cut }) => text === '' && cut)).toBe(true);
		expect((await owner.get(`/api/features/${name}/sessions/${session}/blobs/${LARGE_SHA}`)).status).toBe(503);
	});

	test('without an object store an archive is listed and played, says that its documents are at its machine, and gets them once there is a store', async () => {
		const id = await archive();
		hub = await startHubRig(url);
		const { edge, pusher } = await hub.joinHome(rig.home, 'm');
		await vi.waitFor(() => expect(pusher.state()).toMatchObject({ state: 'connected', behind: 0 }), 20_000);
		const read = async () => {
			const owner = await hub.signIn();
			return (await (await owner.get(`/api/features/${edge}/${id}`)).json()) as FeatureDetail;
		};
		const before = await read();
		expect(before.hub).toEqual({ unshared: 0, left: 0, stored: false });
		expect(before.documents.map(({ text, cut }) => [text, cut])).toEqual(before.documents.map(() => ['', true]));
		expect(before.manifest?.sessions).toHaveLength(1);

		// A replica that has a store asks for it again; one that has none does not.
		const [line] = await lines();
		const listed = [{ id, sheet: line?.digest ?? '' }];
		const featureStore = createFeatureStore(database.query, Date.now);
		expect([await featureStore.kept(edge, listed, false), await featureStore.kept(edge, listed, true)]).toEqual([
			listed,
			[],
		]);
	});

	test('handoffs and large values of a session are shown to who may read that session alone', async () => {
		rig.say('s2', 'session:start', { cwd: rig.project, project: 'q' });
		rig.say('s2', 'session:end', { reason: 'exit' });
		const handoffs = join(rig.home, 'sessions', 's2', 'handoffs');
		mkdirSync(handoffs, { recursive: true });
		writeFileSync(join(handoffs, 'qa.md'), 'secret of project q');
		const id = await archive('cart', 's1', ['s2']);
		const { edge, pusher } = await (await start()).joinHome(rig.home, 'm');
		await vi.waitFor(() => expect(pusher.state()).toMatchObject({ state: 'connected', behind: 0 }), 20_000);
		const [line] = await lines();
		const seenBy = async (who?: number) => {
			const { get } = await hub.signIn(who);
			const detail = (await (await get(`/api/features/${edge}/${id}`)).json()) as FeatureDetail;
			const of = `/api/features/${edge}/${id}/sessions/${edge}`;
			const files = [`${of}/s1/handoffs/dev.md`, `${of}/s1/blobs/${LARGE_SHA}`, `${of}/s2/handoffs/qa.md`];
			const answers = await Promise.all(files.map(async (path) => (await get(path)).status));
			return [detail.handoffs.map(({ sessionId }) => sessionId), answers];
		};
		expect(await seenBy()).toEqual([
			[`${edge}/s1`, `${edge}/s2`],
			[200, 200, 200],
		]);
		const ofP = await hub.person('p', [{ role: 'viewer', team: line?.team ?? 0, project: 'p' }]);
		expect(await seenBy(ofP)).toEqual([[`${edge}/s1`], [200, 200, 404]]);

		// What stands in a document's head may be any words.
		await database.query(`UPDATE features SET record = jsonb_set(record::jsonb, '{created}', '"secret words"')`);
		const listedBy = async (who?: number) => (await (await hub.signIn(who)).get('/api/features')).text();
		expect(await listedBy()).toContain('secret words');
		const listed = await listedBy(await hub.person('auditor', [{ role: 'auditor' }]));
		expect([listed.includes(`${edge}/${id}`), listed.includes('secret')]).toEqual([true, false]);
	});

	test('a machine with long lines and many documents makes neither the list nor a page longer than others do', async () => {
		const id = await archive();
		const { edge, pusher } = await (await start()).joinHome(rig.home, 'm');
		await vi.waitFor(() => expect(pusher.state()).toMatchObject({ state: 'connected', behind: 0 }), 20_000);
		pusher.stop();
		const { get } = await hub.signIn();
		const ask = async <T>(path: string) => (await (await get(path)).json()) as T;
		const [line] = await lines();
		if (!line) throw new Error('nothing kept');
		const sheet = sheetOf(line);
		const [document] = sheet.manifest.documents;
		const documents = Array.from({ length: 60 }, (_, index) => ({ ...document, name: `n${index}.md` }));
		const many = JSON.stringify({ ...sheet, manifest: { ...sheet.manifest, documents } });
		await database.query('UPDATE features SET sheet = $1, digest = $2', [many, hash('sha256', many)]);
		expect((await ask<FeatureDetail>(`/api/features/${edge}/${id}`)).documents).toHaveLength(50);

		const list = async () => {
			const { features, more } = await ask<{ features: FeatureRecord[]; more?: true }>('/api/features');
			return [features.map(({ id: name }) => name.slice(`${edge}/${id}`.length)), more];
		};
		expect(await list()).toEqual([[''], undefined]);
		await database.query(`INSERT INTO features (edge, id, team, project, archived_at, sessions, record, sheet, digest, stored)
			SELECT edge, id || n, team, project, archived_at - n * interval '1 minute', sessions,
				jsonb_set(record::jsonb, '{name}', to_jsonb(repeat('x', 3000000)))
					|| jsonb_build_object('id', id || n), sheet, digest, stored
			FROM features, generate_series(1, 5) AS n`);
		expect(await list()).toEqual([['', '1', '2', '3'], true]);
	});

	test('an archive stays for good, but where there is no store and its team keeps nothing; then it does not come again', async () => {
		const id = await archive();
		hub = await startHubRig(url);
		const { edge, pusher, start: startMachine } = await hub.joinHome(rig.home, 'm');
		const whole = (machine = pusher) =>
			vi.waitFor(() => expect(machine.state()).toMatchObject({ state: 'connected', behind: 0 }), 20_000);
		await whole();
		pusher.stop();
		const owner = await hub.signIn();
		const list = async () =>
			((await (await owner.get('/api/features')).json()) as { features: FeatureRecord[] }).features.map(
				(each) => each.id,
			);
		const later = () => Date.now() + 15 * 86_400_000;
		const pack = () =>
			packColdSessions({ database, archives: createArchives(), now: later }, new AbortController().signal);
		await pack();
		expect(await list()).toEqual([`${edge}/${id}`]);
		await database.query('UPDATE teams SET keep_nothing = true');
		await packColdSessions(
			{ database, archives: createArchives(store()), store: store(), now: later },
			new AbortController().signal,
		);
		expect(await list()).toEqual([`${edge}/${id}`]);
		await pack();
		expect(await list()).toEqual([]);
		expect((await owner.get(`/api/features/${edge}/${id}`)).status).toBe(404);
		await whole(startMachine());
		expect(await list()).toEqual([]);
	});

	test('hub, machine and store that die in the middle lose and double nothing, and only what is missing is sent again', async () => {
		const ids = [await archive('cart', 's1'), await archive('desk', 's2'), await archive('lamp', 's3')];
		s3.setAway(true);
		const first = await start();
		const { start: startMachine, pusher } = await first.joinHome(rig.home, 'm');
		await vi.waitFor(() => expect(s3.asked.length).toBeGreaterThan(0), 20_000);
		expect(await lines()).toEqual([]);
		s3.setAway(false);
		s3.breakNext(1);
		pusher.stop();
		// Each time some files further, and then the machine, or the hub, is gone.
		const progress = async () => {
			const [noted] = await database.query<{ count: number }>('SELECT count(*) FROM feature_files');
			return (noted?.count ?? 0) + (await lines()).length;
		};
		for (let before = await progress(); (await lines()).length < ids.length; before = await progress()) {
			const machine = startMachine();
			await vi.waitFor(async () => expect(await progress()).toBeGreaterThan(before), 20_000);
			machine.stop();
		}
		const last = startMachine();
		await vi.waitFor(() => expect(last.state()).toMatchObject({ state: 'connected', behind: 0 }), 20_000);
		expect((await lines()).map(({ id }) => id)).toEqual([...ids].sort());
		const puts = s3.asked.filter((what) => what.startsWith('PUT'));
		// What was on its way when something died comes a second time, and nothing else does.
		expect(new Set(puts).size).toBe(objects().length);
		const named = (await lines()).flatMap((line) => {
			const { documents, sessions } = sheetOf(line).manifest;
			const digests = [...documents, ...sessions.flatMap(({ files }) => files)].map(({ sha256 }) => sha256);
			return digests.map((digest) => `bucket/archives/${line.team}/${line.edge}/features/${line.id}/${digest}.gz`);
		});
		expect(objects().sort()).toEqual([...new Set(named)].sort());
	});

	test('R2202 a machine that shares the shape alone, or another project, gives no word of a feature that is not shared', async () => {
		const hidden = join(rig.home, 'sessions', 'hidden');
		mkdirSync(join(hidden, 'handoffs'), { recursive: true });
		writeFileSync(join(hidden, 'handoffs', 'dev.md'), 'secret of another project');
		const elsewhere = { type: 'session:start', cwd: '/elsewhere', ts: '2026-02-23T15:00:00.000Z', id: 'x1' };
		appendFileSync(join(hidden, 'timeline.jsonl'), `${JSON.stringify({ ...elsewhere, sessionId: 'hidden' })}\n`);
		const id = await archive('cart', 's1', ['hidden']);
		const listFeatures = (projects: string[], content: 'all' | 'shape') => {
			const share = { projects, content };
			return createSharedFeatures(rig.home, share, createSharedSessions(rig.home, share), rig.now, silent);
		};
		expect(await listFeatures(['/elsewhere'], 'all').listChanged()).toEqual([]);
		const whole = listFeatures([rig.project], 'all');
		const [listed = { id: '', sheet: '' }] = await whole.listChanged();
		const sheet = JSON.parse(String(await whole.read(id, listed.sheet))) as FeatureSheet;
		expect(sheet).toMatchObject({ unshared: 1, feature: { sessions: ['s1'] } });
		expect(JSON.stringify(sheet)).not.toContain('hidden');
		expect(await whole.read(id, hash('sha256', 'secret of another project'))).toBeUndefined();

		await (await start()).joinHome(rig.home, 'shape', { share: { projects: [rig.project], content: 'shape' } });
		const [line] = await untilKept(1);
		if (!line) throw new Error('nothing kept');
		expect(sheetOf(line)).toMatchObject({
			feature: { id, name: 'cart', project: 'p', sessions: ['s1'], tasks: { next: [] } },
			manifest: { documents: [], sessions: [{ sessionId: 's1', files: [] }] },
		});
		expect(sheetOf(line).left).toBeGreaterThan(2);
		expect([line.sheet.includes('secret'), objects()]).toEqual([false, []]);
		// Nor does it give what it has not named, whoever wants it.
		expect(await listFeatures([rig.project], 'shape').read(id, LARGE_SHA)).toBeUndefined();
	});

	test('R2203 a sheet or file that is not what was wanted ends the connection, and nothing of it is kept', async () => {
		const id = await archive();
		const share = { projects: 'all', content: 'all' } as const;
		const own = createSharedFeatures(rig.home, share, createSharedSessions(rig.home, share), rig.now, silent);
		const [listed = { id: '', sheet: '' }] = await own.listChanged();
		const sheet = JSON.parse(String(await own.read(id, listed.sheet))) as FeatureSheet;
		const { feature, manifest } = sheet;
		const [document] = manifest.documents;
		const files = [...Array(MAX_FEATURE_FILES)].map((_, position) => ({ ...document, name: `f${position}.md` }));
		const { port } = await start();
		const edges = createEdgeStore(database.query);
		/** Lists one sheet, and answers every request for a file with the same file. */
		async function send(text: string, file: Buffer | null = Buffer.from('x')) {
			const address = `http://127.0.0.1:${port}`;
			const machine = await joinMachine(address, await edges.mintCode('team', 1, 10));
			const edge = connectEdge(address, machine);
			await edge.welcomed;
			const digest = hash('sha256', text);
			edge.send(encodeEdgeFrame('features', { features: [{ id, sheet: digest }] }));
			let reason: string | undefined;
			void edge.closed.then((end) => {
				reason = end.reason;
			});
			const answered = new Set<string>();
			return vi.waitFor(async () => {
				const wishes = edge.frames.flatMap((frame) => (frame.type === 'want' ? [frame.header] : []));
				for (const wish of wishes.filter((each) => !answered.has(each.digest))) {
					answered.add(wish.digest);
					edge.send(blobOf(wish, wish.digest === digest ? Buffer.from(text) : file));
				}
				const isKept = (await lines()).some(({ edge: by }) => by === machine.edge);
				if (!isKept && reason === undefined) throw new Error('nothing came of it yet');
				edge.stop();
				return reason ?? 'kept';
			}, 20_000);
		}
		for (const [spoilt, reason] of [
			['nothing', /not JSON/],
			[JSON.stringify({ ...sheet, v: 2 }), /a sheet: v/],
			[JSON.stringify({ ...sheet, feature: { ...feature, id: 'abcdefabcdef-2026-01-01_cart' } }), /another feature/],
			[JSON.stringify({ ...sheet, manifest: { ...manifest, documents: files } }), /more files than travel/],
			[JSON.stringify(sheet).replace(/"bytes":\d+/, `"bytes":${2 ** 40}`), /more files than travel/],
			[JSON.stringify(sheet), /not what was wanted/],
		] as const) {
			expect(await send(spoilt)).toMatch(reason);
		}
		expect([await lines(), objects()]).toEqual([[], []]);
		// What its machine has no more is no reason to do without the rest; a date that no calendar has is none.
		const odd = { ...sheet, manifest: { ...manifest, archivedAt: '+275760-09-01T00:00:00.000Z' } };
		expect(await send(JSON.stringify(odd), null)).toBe('kept');
		expect(objects()).toEqual([]);
		expect(hub.lines.filter((line) => line.includes(' error '))).toEqual([]);
	});
});
