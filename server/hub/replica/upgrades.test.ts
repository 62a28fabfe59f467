import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CLOSE, HUB_WIRE } from '#lib/contract/hub/hub-wire.ts';
import { withCredentials } from '../../access/credentials.ts';
import { joinHub } from '../../edge/join-hub.ts';
import { startPusher } from '../../edge/pusher.ts';
import { STATE_FILE, startEdge } from '../../edge/start-edge.ts';
import { rootFingerprint } from '../../hub-protocol/signatures.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { type HubDatabase, openHubDatabase, queryBy } from '../database/database.ts';
import { listEdges } from '../edges/edge-store.ts';
import { addEdge, nextRange, noJournal, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { startReplica } from '../testing/replica-rig.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, joinMachine } from '../testing/simulated-edge.ts';
import { HUB_VERSIONS, type HubVersions } from '../timelines/load-session.ts';
import { createPostgresStore } from '../timelines/postgres-store.ts';
import { RangeFold } from '../timelines/range-fold.ts';

const log = createLog(() => undefined);
const QUICK = { leastMs: 20, mostMs: 100 };
const SHARE = { projects: 'all', content: 'all' } as const;
/** A program one version on. */
const NEXT: HubVersions = { wire: HUB_VERSIONS.wire + 1, fold: HUB_VERSIONS.fold + 1 };
type Replica = Awaited<ReturnType<typeof startReplica>>;

describe.runIf(postgresPrograms !== undefined)('hubs and machines of different versions', () => {
	const newDatabase = sharedDatabases();
	let databaseUrl: string;
	let database: HubDatabase;
	const ends: (() => unknown)[] = [];
	beforeEach(async () => {
		databaseUrl = await newDatabase();
		database = openHubDatabase(databaseUrl, () => undefined);
		ends.push(() => database.close());
		// Whoever lowers it fails, and what it wrote is missing.
		await database.query(`CREATE FUNCTION only_rises() RETURNS trigger LANGUAGE plpgsql AS
			$$ BEGIN IF NEW.fold < OLD.fold THEN RAISE 'the fold falls'; END IF; RETURN NEW; END $$`);
		await database.query(
			'CREATE TRIGGER only_rises BEFORE UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION only_rises()',
		);
	});
	afterEach(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});

	/** A replica of these versions; in the place of another, where one is given, as after an upgrade or its end. */
	async function replicaOf(versions: HubVersions, before?: Replica): Promise<Replica> {
		await before?.stop();
		const same = before && { identity: before.identity, port: before.hub.port };
		const replica = await startReplica(databaseUrl, { ...same, versions });
		ends.push(() => replica.stop());
		return replica;
	}

	/** A machine that has joined, whose program speaks this wire. */
	async function machineOf({ url, identity, newCode }: Replica, wire: number) {
		const rig = createTimelineRig();
		await withCredentials(rig.home, async () => undefined);
		const code = `${await newCode()}#${rootFingerprint(identity.root)}`;
		const { membership } = await joinHub(rig.home, { url, code, name: `speaks ${wire}`, share: SHARE });
		const pusher = startPusher({ home: rig.home, membership, log, wire, backoff: QUICK });
		ends.push(() => pusher.stop());
		let written = 0;
		return {
			...{ home: rig.home, edge: membership.edge, state: pusher.state, stop: pusher.stop },
			appendLine() {
				written += 1;
				rig.append('s1', asLine(samplePrompt('s1', written)));
				pusher.pushNewLines('s1');
			},
			/** The hub has every line, each once. */
			async settled() {
				await vi.waitFor(async () => expect(await eventsOf(membership.edge)).toHaveLength(written), 20_000);
				expect(await eventsOf(membership.edge)).toEqual(
					Array.from({ length: written }, (_, n) => [`e${n + 1}`, n + 1]),
				);
			},
			refused: () => vi.waitFor(() => expect(pusher.state().state).toBe('refused'), 20_000),
		};
	}

	const storeOf = (fold: number, over = database) =>
		createPostgresStore(over, { now: Date.now, failed: () => undefined, fold });
	const readsOf = (fold: number) => storeOf(fold).reads({ teams: 'all' });
	const eventsOf = async (edge: number) =>
		(await readsOf(0).events(`${edge}/s1`, { after: 0, limit: 999 })).map(({ id, seq }) => [id, seq]);
	/** What somebody sees of a machine's session, without its name. */
	const seenOf = async (edge: number, fold: number) => {
		const shot = await readsOf(fold).snapshot(`${edge}/s1`, 999);
		return JSON.parse(JSON.stringify([shot?.view, shot?.rows]).replaceAll(`"${edge}/s1"`, '"s1"')) as unknown;
	};
	const foldOf = async (edge: number) =>
		(await database.query<{ fold: number }>('SELECT fold FROM sessions WHERE edge = $1', [edge])).map(
			({ fold }) => fold,
		);
	/** As an older fold has made rows and views: this program's could not read them. */
	const age = async () => {
		await database.query(`UPDATE rows SET json = '{"of":"before"}'`);
		await database.query(`UPDATE views SET json = '{"of":"before"}'`);
	};

	test('a hub takes machines of its own wire and of the one before, and says which are older', async () => {
		const hub = await replicaOf(HUB_VERSIONS);
		const machines = [await machineOf(hub, HUB_WIRE), await machineOf(hub, HUB_WIRE - 1)];
		for (const machine of machines) {
			machine.appendLine();
			await machine.settled();
		}
		const { edges } = await listEdges(database.query, { teams: null });
		expect(edges.map(({ name, older }) => [name, older])).toEqual([
			[`speaks ${HUB_WIRE - 1}`, true],
			[`speaks ${HUB_WIRE}`, false],
		]);
		// Hubs are upgraded first, each machine when it likes.
		const upgraded = await replicaOf(NEXT, hub);
		const newer = await machineOf(upgraded, NEXT.wire);
		for (const machine of [machines[0], newer]) {
			machine?.appendLine();
			await machine?.settled();
		}
		await machines[1]?.refused();
	});

	test('a machine that is newer than its hub is refused with the reason and loses nothing: it connects once the hub is upgraded', async () => {
		const hub = await replicaOf(HUB_VERSIONS);
		const [newer, same] = [await machineOf(hub, NEXT.wire), await machineOf(hub, HUB_WIRE)];
		newer.appendLine();
		await newer.refused();
		expect(newer.state().reason).toBe(`it speaks wire ${NEXT.wire}, and this hub ${HUB_WIRE}: upgrade the hub`);
		const upgraded = await replicaOf({ ...HUB_VERSIONS, wire: NEXT.wire }, hub);
		newer.appendLine();
		await newer.settled();
		const rolledBack = await replicaOf(HUB_VERSIONS, upgraded);
		await newer.refused();
		newer.appendLine();
		same.appendLine();
		await same.settled();
		await replicaOf({ ...HUB_VERSIONS, wire: NEXT.wire }, rolledBack);
		await newer.settled();
	});

	test('a machine that is too old for its hub says in its state that it has to be upgraded', async () => {
		const hub = await replicaOf({ ...HUB_VERSIONS, wire: HUB_WIRE + 2 });
		const { home, stop } = await machineOf(hub, HUB_WIRE + 2);
		stop();
		const { tail, stop: stopTail } = await createTimelineRig(home).start();
		const end = startEdge(home, tail, log);
		await vi.waitFor(() => {
			const { state, reason } = JSON.parse(readFileSync(join(home, STATE_FILE), 'utf8')) as Record<string, string>;
			expect([state, reason]).toEqual([
				'refused',
				`it speaks wire ${HUB_WIRE}, and this hub ${HUB_WIRE + 2}: upgrade Signalbox on the machine`,
			]);
		}, 20_000);
		end?.();
		await stopTail();
	});

	test('of two replicas with two folds the older refuses edges that were at the newer, and its sessions are folded again on first use', async () => {
		const old = await replicaOf(HUB_VERSIONS);
		const next = await startReplica(databaseUrl, { identity: old.identity, versions: NEXT });
		ends.push(() => next.stop());
		const bytes = storyOf('s1', 30);
		const behind = (part: number) => bytes.indexOf(10, Math.floor(part * bytes.length)) + 1;
		const [third, half] = [behind(0.3), behind(0.6)];
		const origin = new URL(old.url).origin;
		const join = async () => joinMachine(old.url, await old.newCode());
		const [moving, still] = [await join(), await join()];
		async function push(to: Replica, machine: typeof moving, from: number, until?: number) {
			const edge = connectEdge(to.url, machine, origin);
			ends.push(() => edge.stop());
			await edge.welcomed;
			await edge.open(['s1']);
			await edge.push('s1', bytes.subarray(from, until));
			return edge;
		}
		const first = await push(old, moving, 0, third);
		await age();
		await push(next, still, 0);
		// Nobody has written it since: whoever looks folds it.
		expect(JSON.stringify(await seenOf(moving.edge, NEXT.fold))).not.toContain('before');
		expect(await foldOf(moving.edge)).toEqual([NEXT.fold]);
		await database.query('UPDATE sessions SET fold = fold WHERE edge = $1', [moving.edge]);

		// Its old connection learns it with the next line.
		const pushed = first.push('s1', bytes.subarray(third, half));
		expect(await Promise.race([first.closed, pushed])).toEqual({
			code: CLOSE.later,
			reason: 'a newer hub has written its sessions',
		});
		await push(next, moving, third, half);
		const back = connectEdge(old.url, moving, origin);
		await back.welcomed;
		back.open(['s1']).catch(() => undefined);
		expect(await back.closed).toMatchObject({ code: CLOSE.later });
		await push(next, moving, half);
		expect(await eventsOf(moving.edge)).toEqual(Array.from({ length: 60 }, (_, n) => [`s1-${n}`, n + 1]));
		const [seen, fresh] = [await seenOf(moving.edge, NEXT.fold), await seenOf(still.edge, NEXT.fold)];
		expect(seen).toEqual(fresh);
	});

	test('an older fold that writes while a session is folded again does not leave half of it as it was', async () => {
		const { edge } = await addEdge(database);
		const { edge: other } = await addEdge(database);
		const bytes = storyOf('s1', 40);
		const older = { store: storeOf(HUB_VERSIONS.fold), at: 0 };
		const fold = new RangeFold({ store: older.store, journalRows: noJournal, now: Date.now });
		const [session] = await older.store.open([{ edge, sessionId: 's1' }]);
		const key = session?.key ?? 0;
		async function writeOlder() {
			const [result] = await fold.foldRanges([nextRange(key, bytes, older.at, 1000)]);
			older.at = result?.session?.offset ?? older.at;
			await age();
		}
		await writeOlder();
		let left = 2;
		const query = queryBy(async (text, values) => {
			// Between what is read and what is written of it.
			if (text.includes('put_events') && left-- > 0) await writeOlder();
			return { rows: await database.query(text, values) };
		});
		const newer = new RangeFold({
			...{ store: storeOf(NEXT.fold, { ...database, query }), journalRows: noJournal, now: Date.now },
		});
		for (let at = older.at; at < bytes.length; ) {
			const [result] = await newer.foldRanges([nextRange(key, bytes, at, 1000)]);
			at = result?.session?.offset ?? at;
		}
		expect(left).toBeLessThan(0);
		expect(await fold.foldRanges([nextRange(key, bytes, older.at, 1000)])).toMatchObject([
			{ kind: 'elsewhere', session: { fold: NEXT.fold } },
		]);
		const [fresh] = await storeOf(NEXT.fold).open([{ edge: other, sessionId: 's1' }]);
		await newer.foldRanges([nextRange(fresh?.key ?? 0, bytes, 0, bytes.length)]);
		expect(await seenOf(edge, NEXT.fold)).toEqual(await seenOf(other, NEXT.fold));
	});

	test('where a hub goes back to an older fold, machines whose sessions a newer one has written wait, and all others go on', async () => {
		const next = await replicaOf({ ...HUB_VERSIONS, fold: NEXT.fold });
		const [touched, other] = [await machineOf(next, HUB_WIRE), await machineOf(next, HUB_WIRE)];
		touched.appendLine();
		await touched.settled();
		const old = await replicaOf(HUB_VERSIONS, next);
		touched.appendLine();
		other.appendLine();
		await other.settled();
		await vi.waitFor(() => expect(touched.state().reason).toBe('a newer hub has written its sessions'), 20_000);
		expect(await eventsOf(touched.edge)).toEqual([['e1', 1]]);
		await replicaOf({ ...HUB_VERSIONS, fold: NEXT.fold }, old);
		await touched.settled();
		expect([await foldOf(touched.edge), await foldOf(other.edge)]).toEqual([[NEXT.fold], [HUB_VERSIONS.fold]]);
	});
});
