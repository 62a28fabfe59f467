import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { EdgesQuery, type HubEdge } from '#lib/contract/hub/edges.ts';
import type { HubRole } from '#lib/hub/may.ts';
import { changeEdge } from '../../cli/hub/hub-work.ts';
import { makeKey, rootFingerprint } from '../../hub-protocol/signatures.ts';
import type { Terminal } from '../../process/command.ts';
import { createLocalHints } from '../hints/hints.ts';
import { coreOf, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeService, type EdgeService } from './edge-service.ts';
import { createEdgeStore, type EdgeStore } from './edge-store.ts';

const as = (...roles: HubRole[]) => ({ person: 7, name: 'Ann', roles });
const ADMIN = as({ role: 'admin' });
const all = EdgesQuery.parse({});
const code = { uses: 1, minutes: 60, labels: [] };
const origin = 'https://hub.example';

describe.runIf(postgresPrograms !== undefined)('machines of a hub', () => {
	const newDatabase = sharedDatabases();
	let databaseUrl: string;
	let hub: ReturnType<typeof openStore>;
	let edges: EdgeStore;
	let service: EdgeService;
	const notified: string[] = [];
	const key = makeKey();
	const home = mkdtempSync(`${tmpdir()}/signalbox-hub-`);
	writeFileSync(`${home}/hub.key`, key.privateKey);
	afterAll(() => rmSync(home, { recursive: true }));
	const identity = {
		privateKey: key.privateKey,
		root: { v: 1 as const, origin, name: 'hub', key: key.publicKey },
	};
	const refusal = (of: Promise<unknown>) =>
		of.then(
			() => 'nothing',
			(error: { code: string }) => error.code,
		);
	const names = ({ edges: found }: { edges: HubEdge[] }) => found.map(({ name }) => name);
	beforeEach(async () => {
		databaseUrl = await newDatabase();
		hub = openStore(databaseUrl);
		edges = createEdgeStore(hub.database.query);
		const hints = { ...createLocalHints(() => undefined), send: (topic: string) => void notified.push(topic) };
		service = createEdgeService(coreOf(hub.database.query, identity, { hints, now: () => 0 }), edges);
		notified.length = 0;
		return () => hub.store.close();
	});

	async function join(name: string, team: string, labels: string[] = []) {
		const secret = await edges.mintCode(team, 1, 10, { labels });
		const made = await edges.join({ code: secret, key: makeKey().publicKey, name, version: '1' });
		return made?.edge ?? 0;
	}
	const adminOf = async (team: string) => {
		const [found] = await hub.database.query<{ id: number }>('SELECT id FROM teams WHERE name = $1', [team]);
		return as({ role: 'admin', team: found?.id ?? 0 });
	};
	const arrive = (edge: number) =>
		edges.greet({ edge, counter: 0, wire: 1, version: '2.0', journal: null, signature: '' });

	const by = { person: 7, name: 'Ann' };
	/** What stands in the journals of all teams. */
	const journaled = async () => {
		const rows = await hub.database.query<Record<'kind' | 'subject' | 'payload', string>>(
			'SELECT kind, subject, payload FROM hub_journal ORDER BY team, n',
		);
		return rows.map(({ kind, subject, payload }) => [kind, subject, JSON.parse(payload)]);
	};

	test('an admin sees only the machines of their teams, those that need attention first', async () => {
		const [laptop, desktop, runner] = [
			await join('laptop', 'shop', ['berlin', 'cart']),
			await join('desktop', 'shop'),
			await join('runner', 'web'),
		];
		await arrive(laptop);
		await edges.recordStatus(laptop, 1, { behindBytes: 4096, lateMs: 61_400, skewMs: -7000 }, 'hub');
		await edges.quarantine(runner, 'it came twice');
		const found = await service.list(ADMIN, all);
		expect(names(found)).toEqual(['runner', 'desktop', 'laptop']);
		expect(found.counts).toEqual({ connected: 1, away: 1, pending: 0, quarantined: 1, revoked: 0 });
		expect(found.edges).toMatchObject([
			{ team: 'web', state: 'quarantined', reason: 'it came twice', connected: false },
			{ id: desktop, state: 'joined', connected: false, seenAt: null, behind: null, version: null },
			{
				...{ id: laptop, team: 'shop', state: 'joined', connected: true, version: '2.0', level: 'hub' },
				...{ behind: { bytes: 4096, seconds: 61 }, clockAhead: -7, labels: ['berlin', 'cart'] },
			},
		]);
		const ofShop = await service.list(await adminOf('shop'), all);
		expect([names(ofShop), ofShop.teams, ofShop.newTeams]).toEqual([['desktop', 'laptop'], ['shop'], false]);
		expect(ofShop.counts.quarantined).toBe(0);
		for (const role of ['viewer', 'operator', 'auditor'] as const)
			expect(await refusal(service.list(as({ role }), all))).toBe('auth/forbidden');
		const find = async (query: object) => names(await service.list(ADMIN, EdgesQuery.parse(query)));
		expect(await find({ team: 'web' })).toEqual(['runner']);
		expect(await find({ group: 'away' })).toEqual(['desktop']);
		expect(await find({ q: 'CART  shop' })).toEqual(['laptop']);
		expect(await find({ q: 'cart web' })).toEqual([]);
	});

	test('a machine is connected until its last connection has ended, or it was silent for long', async () => {
		const edge = await join('laptop', 'shop');
		const isConnected = async () => (await service.list(ADMIN, all)).edges[0]?.connected;
		await arrive(edge);
		await edges.recordStatus(edge, 1, { behindBytes: 1, lateMs: 1, skewMs: 0 });
		await edges.greet({ edge, counter: 1, wire: 1, version: '2.0', journal: null, signature: '' });
		expect((await service.list(ADMIN, all)).edges[0]?.behind, 'the one before told it').toBeNull();
		await edges.leave(edge, 1);
		await edges.recordStatus(edge, 1, { behindBytes: 1, lateMs: 1, skewMs: 0 });
		expect(await isConnected()).toBe(true);
		expect((await service.list(ADMIN, all)).edges[0]?.behind).toBeNull();
		await edges.leave(edge, 2);
		expect(await isConnected()).toBe(false);
		await edges.greet({ edge, counter: 2, wire: 1, version: '2.0', journal: null, signature: '' });
		expect(await isConnected()).toBe(true);
		await hub.database.query("UPDATE edges SET seen_at = now() - interval '2 minutes'");
		expect(await isConnected(), 'its replica was killed').toBe(false);
	});

	test('a code is made for a team of one’s own, a new team by an admin of everything; its line joins this hub', async () => {
		const { line, until } = await service.mint(ADMIN, { ...code, team: 'shop', minutes: 30, labels: ['berlin'] });
		const [, secret = '', root] = /^signalbox join https:\/\/hub\.example '(\w+)#(\w+)'$/.exec(line) ?? [];
		expect([root, until]).toEqual([rootFingerprint(identity.root), new Date(1_800_000).toISOString()]);
		const joining = { code: secret, name: 'laptop', version: '1' };
		expect(await edges.join({ ...joining, key: makeKey().publicKey })).toMatchObject({ team: 'shop' });
		expect(await edges.join({ ...joining, key: makeKey().publicKey }), 'used up').toBeUndefined();
		expect((await service.list(ADMIN, all)).edges[0]?.labels).toEqual(['berlin']);
		const ofShop = await adminOf('shop');
		expect((await service.mint(ofShop, { ...code, team: 'shop' })).line).toContain('signalbox join');
		await edges.mintCode('web', 1, 1);
		for (const [who, team] of [
			[ofShop, 'web'],
			[ofShop, 'new'],
			[as({ role: 'operator' }), 'shop'],
			[as(), 'shop'],
		] as const)
			expect([team, await refusal(service.mint(who, { ...code, team }))]).toEqual([team, 'auth/forbidden']);
		expect((await service.list(ADMIN, all)).teams).toEqual(['shop', 'web']);
		expect(await journaled()).toMatchObject([
			['edge:code', 'team:1', { by, uses: 1, until, labels: ['berlin'] }],
			['edge:code', 'team:1', { by, uses: 1, labels: [] }],
		]);
	});

	test('an admin takes a machine back or sends it away; one of another team is not there', async () => {
		const [laptop, runner] = [await join('laptop', 'shop'), await join('runner', 'web')];
		await edges.quarantine(laptop, 'it came twice');
		const ofWeb = await adminOf('web');
		expect(await refusal(service.change(ofWeb, laptop, { action: 'accept' }))).toBe('route/not-found');
		expect(await refusal(service.change(ADMIN, 99, { action: 'revoke' }))).toBe('route/not-found');
		expect(await refusal(service.change(as({ role: 'operator' }), runner, { action: 'revoke' }))).toBe(
			'route/not-found',
		);
		expect(notified).toEqual([]);
		const taken = await service.change(ADMIN, laptop, { action: 'accept' });
		expect(taken).toMatchObject({ id: laptop, state: 'joined', reason: null });
		expect(await service.change(ofWeb, runner, { action: 'revoke' })).toMatchObject({ id: runner, state: 'revoked' });
		expect(notified).toEqual([`edge:${laptop}`, `edge:${runner}`]);
		expect(await edges.currentState(runner, 0)).toBe('revoked');
		expect(await journaled()).toEqual([
			['edge:accept', `edge:${laptop}`, { by, machine: 'laptop', state: 'quarantined', reason: 'it came twice' }],
			['edge:revoke', `edge:${runner}`, { by, machine: 'runner', state: 'joined', reason: null }],
		]);
	});

	test('a revoked machine is never accepted again, by a page or from a terminal', async () => {
		const laptop = await join('laptop', 'shop');
		await service.change(ADMIN, laptop, { action: 'revoke' });
		expect(await refusal(service.change(ADMIN, laptop, { action: 'accept' }))).toBe('edge/revoked');
		expect(await service.change(ADMIN, laptop, { action: 'revoke' }), 'again').toMatchObject({ state: 'revoked' });
		const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
		const terminal = { env } as unknown as Terminal;
		await expect(changeEdge(terminal, laptop, 'accept')).rejects.toThrow('join again with a new code');
		expect(await changeEdge(terminal, laptop, 'revoke')).toBe(0);
		await expect(changeEdge(terminal, 99, 'accept')).rejects.toThrow('no machine 99');
		expect(await edges.currentState(laptop, 0)).toBe('revoked');
		expect((await journaled()).map(([kind, , payload]) => [kind, payload.by])).toEqual([
			['edge:revoke', by],
			['edge:revoke', by],
			['edge:revoke', 'machine'],
		]);
	});
});
