import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { EdgesQuery } from '#lib/contract/hub/edges.ts';
import { CLOSE } from '#lib/contract/hub/hub-wire.ts';
import { encodeEdgeFrame } from '#lib/hub/frame.ts';
import type { HubRole } from '#lib/hub/may.ts';
import { dispatch } from '../../cli/dispatch.ts';
import { joinHub } from '../../edge/join-hub.ts';
import { pushUntil } from '../../edge/push-until.ts';
import { startPusher } from '../../edge/pusher.ts';
import { rootFingerprint } from '../../hub-protocol/signatures.ts';
import { freePort } from '../../process/free-port.ts';
import { createLog } from '../../process/log.ts';
import { asLine, createTimelineRig, samplePrompt } from '../../testing/timeline-rig.ts';
import { openSqliteJournal } from '../../timeline/store/sqlite-journal.ts';
import { queryBy } from '../database/database.ts';
import { openHubIdentity } from '../database/hub-key.ts';
import { readSourceOptions } from '../reading/source-options.ts';
import { type HubServer, startHub } from '../replica/hub-server.ts';
import { coreOf, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { connectEdge, joinMachine } from '../testing/simulated-edge.ts';
import { createEdgeService, type EdgeService } from './edge-service.ts';
import { createEdgeStore, createFleetRules, type EdgeStore } from './edge-store.ts';

const log = createLog(() => undefined);
const as = (...roles: HubRole[]) => ({ person: 7, name: 'Ann', roles });
const QUICK = { leastMs: 5, mostMs: 20 };

describe.runIf(postgresPrograms !== undefined)('machines of a fleet', () => {
	const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
	const ends: (() => Promise<void> | void)[] = [];
	const newDatabase = sharedDatabases();
	let databaseUrl: string;
	let hub: HubServer;
	let seen: ReturnType<typeof openStore>;
	let edges: EdgeStore;
	let service: EdgeService;
	let url: string;
	let root: string;
	afterAll(() => rmSync(home, { recursive: true, force: true }));
	beforeEach(async () => {
		databaseUrl = await newDatabase();
		seen = openStore(databaseUrl);
		const { query } = seen.database;
		edges = createEdgeStore(query);
		const port = await freePort();
		url = `http://127.0.0.1:${port}`;
		const identity = openHubIdentity({ home, path: undefined, origin: url, name: 'hub' });
		root = rootFingerprint(identity.root);
		service = createEdgeService(coreOf(query, identity), edges);
		hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log });
		return async () => {
			for (const end of ends.splice(0)) await end();
			await hub.drain();
			await seen.store.close();
		};
	});

	const count = async (table: string) =>
		(await seen.database.query<{ count: number }>(`SELECT count(*) FROM ${table}`))[0]?.count;
	const ADMIN = as({ role: 'admin' });
	const all = EdgesQuery.parse({});
	const stateOf = async (edge: number) =>
		(await service.list(ADMIN, all)).edges.find(({ id }) => id === edge)?.state ?? 'none';
	const fleetCode = (team: string, ...labels: string[]) => edges.mintCode(team, 50, 10, { labels, fleet: true });

	/** A home with a session, that joins by a code. */
	async function realMachine(code: string) {
		const rig = createTimelineRig();
		const journal = await openSqliteJournal(join(rig.home, 'journal.db'));
		await journal.append({ id: 'row', kind: 'token:mint', subject: 'x', payload: {} });
		await journal.close();
		rig.append('s1', asLine(samplePrompt('s1', 1)));
		const share = { projects: 'all' as const, content: 'all' as const };
		const joined = await joinHub(rig.home, { url, code: `${code}#${root}`, name: 'runner', share });
		return { ...rig, ...joined };
	}

	test('R2210 of a machine that came by a code for several nothing is taken and nothing is shown but to admins, until one takes it in', async () => {
		const { home: at, membership, isPending } = await realMachine(await fleetCode('shop', 'ci', 'site=berlin'));
		expect(isPending).toBe(true);
		let received = (): void => undefined;
		const pusher = startPusher({ home: at, membership, log, backoff: QUICK, changed: () => received() });
		ends.push(() => pusher.stop());
		const until = (isSo: () => boolean) =>
			new Promise<void>((resolve) => {
				received = () => isSo() && resolve();
				received();
			});
		await until(() => pusher.state().state === 'pending');
		expect(pusher.state().reason).toContain('no admin of the hub has taken it in');
		for (const table of ['sessions', 'events', 'edge_journal', 'tickets', 'summaries'])
			expect([table, await count(table)]).toEqual([table, 0]);
		expect((await readSourceOptions(seen.database.query, { teams: 'all' }, Date.now())).machines).toEqual([]);
		const [waiting] = (await service.list(ADMIN, EdgesQuery.parse({ group: 'pending' }))).edges;
		expect(waiting).toMatchObject({ name: 'runner', team: 'shop', state: 'pending', labels: ['ci', 'site=berlin'] });
		expect([waiting?.connected, waiting?.seenAt]).toEqual([false, expect.any(String)]);
		expect((await service.list(as({ role: 'admin', team: 99 }), all)).edges).toEqual([]);
		await service.change(ADMIN, membership.edge, { action: 'accept' });
		await until(() => pusher.state().state === 'connected' && pusher.state().behind === 0);
		expect(await count('events')).toBe(1);
		expect((await readSourceOptions(seen.database.query, { teams: 'all' }, Date.now())).machines).toHaveLength(1);
	});

	test('R2210 a pending machine that keeps sending is not read, a refused one stays out, and a code for one machine works as before', async () => {
		const machine = await joinMachine(url, await fleetCode('shop'));
		const edge = connectEdge(url, machine);
		const birth = new Date(0).toISOString();
		const sessions = [{ id: 's1', size: 1, birth }];
		await vi.waitFor(() => expect(edge.frames).toHaveLength(1));
		edge.send(encodeEdgeFrame('sessions', { sessions }));
		expect(await edge.closed).toMatchObject({ code: CLOSE.pending });
		expect(await count('sessions')).toBe(0);
		await service.change(ADMIN, machine.edge, { action: 'revoke' });
		expect(await connectEdge(url, machine).closed).toMatchObject({ code: CLOSE.revoked });
		const one = await joinMachine(url, await edges.mintCode('shop', 1, 10, { labels: ['ci'] }));
		const alone = connectEdge(url, one);
		ends.push(() => alone.stop());
		await alone.welcomed;
	});

	test('R2210 `push` says that it waits for an admin, and continues once the machine is accepted', async () => {
		const { home: at, membership } = await realMachine(await fleetCode('shop'));
		const run = async () => {
			const out: string[] = [];
			const print = (line: string) => void out.push(line);
			const terminal = { env: { HOME: at, OVERTONE_HOME: at }, cwd: at, print, say: print };
			return [await dispatch(['push', '--wait', '1'], terminal), out.join('\n')];
		};
		expect(await run()).toEqual([1, expect.stringContaining('an admin there must accept it first')]);
		await edges.setStatus(membership.edge, 'joined');
		expect(await pushUntil(at, membership, 30)).toMatchObject({ isDone: true });
	});

	test('a pending machine that is accepted while its hello is answered is no copy of itself, and is let in next time', async () => {
		const { edge } = await joinMachine(url, await fleetCode('shop'));
		const { query } = seen.database;
		const accepting = queryBy(async (text, values) => {
			const rows = await query(text, values);
			await edges.setStatus(edge, 'joined');
			return { rows };
		});
		const hello = {
			...{ edge, counter: 0, version: '0', wire: 1, journal: null, signature: '' },
			level: 'watch' as const,
		};
		expect(await createEdgeStore(accepting).greet(hello)).toMatchObject({ welcome: false, status: 'pending' });
		expect(await edges.greet(hello)).toMatchObject({ welcome: true, team: 'shop', counter: 1 });
	});

	test('R2211 a rule takes in who has all of its labels in its own team, those that waited, too; however the two race', async () => {
		const rules = createFleetRules(seen.database.query);
		const comes = async (team: string, ...labels: string[]) =>
			(await joinMachine(url, await fleetCode(team, ...labels))).edge;
		const before = await comes('shop', 'ci', 'site=berlin');
		const other = await comes('web', 'ci', 'site=berlin');
		expect(await rules.add('nowhere', ['ci'])).toBeUndefined();
		expect(await rules.add('shop', ['site=berlin', 'ci', 'ci'])).toEqual({ id: 1, taken: 1 });
		expect((await rules.add('shop', ['ci', 'site=berlin']))?.taken).toBe(0);
		expect(await rules.list()).toMatchObject([{ team: 'shop', labels: ['ci', 'site=berlin'] }]);
		const fitting = await comes('shop', 'site=berlin', 'ci', 'gpu');
		const lacking = await comes('shop', 'ci');
		expect(await Promise.all([before, other, fitting, lacking].map(stateOf))).toEqual([
			...['joined', 'pending', 'joined', 'pending'],
		]);
		const [{ id } = { id: 0 }] = await rules.list();
		expect([await rules.remove(id), await rules.remove(id)]).toEqual([true, false]);
		expect(await stateOf(await comes('shop', 'ci', 'site=berlin'))).toBe('pending');
		const code = await fleetCode('race', 'ci');
		const [racing] = await Promise.all([
			Promise.all(Array.from({ length: 20 }, () => joinMachine(url, code))),
			rules.add('race', ['ci']),
		]);
		expect(new Set(await Promise.all(racing.map(({ edge }) => stateOf(edge))))).toEqual(new Set(['joined']));
	});

	test('a terminal of the hub makes codes for a fleet, lists who waits with labels, takes in, and keeps the rules', async () => {
		async function run(...args: string[]) {
			const out: string[] = [];
			const err: string[] = [];
			const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
			const code = await dispatch(['hub', ...args], {
				...{ env, cwd: home },
				print: (line) => void out.push(line),
				say: (line) => void err.push(line),
			});
			return { code, out: out.join('\n'), err: err.join('\n') };
		}
		const code = (...args: string[]) => run('code', '--url', url, '--team', 'shop', ...args);
		const made = await code('--uses', '3', '--labels', 'site=berlin, ci', '--for', '24h');
		expect(made.err).toMatch(/3 machines, within 1440 minutes[\s\S]*accepts nothing from them until an admin/);
		const [, secret = ''] = /'(\w+)#/.exec(made.out) ?? [];
		const { edge } = await joinMachine(url, secret);
		expect((await run('edges')).out).toBe(`${edge}\tshop\tsimulated\tpending\tnever seen\tsite=berlin,ci`);
		expect(await run('accept', String(edge))).toMatchObject({ code: 0 });
		expect((await run('edges')).out).toContain('\tjoined\t');
		const next = await joinMachine(url, secret);
		expect((await run('rule', 'add', '--team', 'shop', '--labels', 'ci')).err).toContain(
			'1 waiting machines were accepted',
		);
		expect(await stateOf(next.edge)).toBe('joined');
		expect(await run('rule')).toEqual({ code: 0, out: '1\tshop\tci', err: '' });
		expect([(await run('rule', 'remove', '1')).code, (await run('rule', 'remove', '1')).code]).toEqual([0, 1]);
		expect((await code()).err).not.toContain('admin');
		for (const [args, why] of [
			[['--for', '25h'], 'up to a day'],
			[['--for', 'soon'], 'up to a day'],
			[['--for', '1h', '--minutes', '5'], 'not both'],
			[['--labels', 'a,,b'], 'it is empty'],
			[['--labels', `a,${'x'.repeat(41)}`], 'longer than 40'],
			[['--labels', 'a\u001b[31m'], 'acts'],
			[['--labels', 'abcdefghi'.split('').join(',')], 'eight'],
		] as const)
			expect([args, await code(...args)]).toMatchObject([args, { code: 2, err: expect.stringContaining(why) }]);
		for (const args of [
			['rule', 'add'],
			['rule', 'remove'],
			['rule', 'x'],
		])
			expect([args, (await run(...args)).code]).toEqual([args, 2]);
	});
});
