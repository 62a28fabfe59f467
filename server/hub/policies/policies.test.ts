import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findSettings } from '#hooks-bridge/engine/facts.ts';
import { createNodePorts } from '#hooks-bridge/node/node-ports.ts';
import type { HubRole } from '#lib/contract/hub/hub-roles.ts';
import { dispatch } from '../../cli/dispatch.ts';
import { joinHub } from '../../edge/join-hub.ts';
import { startPusher } from '../../edge/pusher.ts';
import { makeKey, rootFingerprint, signPolicy } from '../../hub-protocol/signatures.ts';
import { freePort } from '../../process/free-port.ts';
import { createLog } from '../../process/log.ts';
import { createSoftAuthenticator } from '../../testing/soft-authenticator.ts';
import { openSqliteJournal } from '../../timeline/store/sqlite-journal.ts';
import { type HubDatabase, openHubDatabase } from '../database/database.ts';
import type { HubIdentity } from '../database/hub-key.ts';
import { createEdgeStore } from '../edges/edge-store.ts';
import { startHub } from '../replica/hub-server.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createPolicyService, createPolicyStore, type PolicyStore, readPolicyStates } from './policy-service.ts';

vi.setConfig({ testTimeout: 60_000 });

const QUICK = { leastMs: 20, mostMs: 100 };
const log = createLog(() => undefined);

describe.runIf(postgresPrograms !== undefined)('the policies of a hub', () => {
	const newDatabase = sharedDatabases();
	let databaseUrl: string;
	let database: HubDatabase;
	let policies: PolicyStore;
	let identity: HubIdentity;
	let authenticator: ReturnType<typeof createSoftAuthenticator>;
	const ends: (() => unknown)[] = [];
	beforeEach(async () => {
		databaseUrl = await newDatabase();
		const port = await freePort();
		const origin = `http://127.0.0.1:${port}`;
		authenticator = createSoftAuthenticator({ rpId: '127.0.0.1', origin });
		const { privateKey, publicKey } = makeKey();
		const rootPasskeys = [{ id: authenticator.id, cose: authenticator.cose }];
		identity = { privateKey, root: { v: 2, origin, name: 'hub', key: publicKey, rpId: '127.0.0.1', rootPasskeys } };
		const hub = await startHub({ databaseUrl, identity, host: '127.0.0.1', port, log });
		database = openHubDatabase(databaseUrl, () => undefined);
		policies = createPolicyStore(database.query, Date.now);
		ends.push(
			() => hub.drain(),
			() => database.close(),
		);
	});
	afterEach(async () => {
		for (const end of ends.splice(0).reverse()) await end();
	});

	/** A machine of a team that has joined, as its server keeps it. */
	async function machine(team: string) {
		const home = mkdtempSync(join(tmpdir(), 'signalbox-edge-'));
		const journal = await openSqliteJournal(join(home, 'journal.db'));
		const code = `${await createEdgeStore(database.query).mintCode(team, 1, 10)}#${rootFingerprint(identity.root)}`;
		const share = { projects: 'all', content: 'all' } as const;
		const { membership } = await joinHub(home, { url: identity.root.origin, code, name: team, share });
		const policies = { journal, incidents: { raise: () => undefined } };
		const connect = () => startPusher({ home, membership, log, backoff: QUICK, policies });
		let pusher = connect();
		ends.push(
			() => rmSync(home, { recursive: true }),
			() => journal.close(),
			() => pusher.stop(),
		);
		const settings = () => {
			const ports = createNodePorts({ home, once: true });
			const found = findSettings('', ports);
			ports.close();
			return found;
		};
		const comeAgain = () => {
			pusher.stop();
			pusher = connect();
		};
		return { edge: membership.edge, settings, comeAgain };
	}
	const states = async (team: string) =>
		(await readPolicyStates(database.query, (await policies.teamOf(team)) ?? 0)).map(({ edge, version, state, why }) =>
			[edge, version ?? 'none', ...(state ? [state] : []), ...(why ? [why] : [])].join(' '),
		);

	test('a policy reaches the machines of its team, those that join later, too, and no other; the hub knows what each made of it', async () => {
		const [one, outsider] = [await machine('shop'), await machine('bank')];
		expect(await policies.add(identity, 'shop', { 'commands.exclude': ['rm'] }, { by: 'machine' })).toMatchObject({
			ready: true,
		});
		await vi.waitFor(() => expect(one.settings().commands.exclude).toEqual(['rm']), 10_000);
		const later = await machine('shop');
		await vi.waitFor(() => expect(later.settings().commands.exclude).toEqual(['rm']), 10_000);
		await vi.waitFor(async () => expect(await states('shop')).toEqual([`${one.edge} 1 done`, `${later.edge} 1 done`]));
		expect([outsider.settings().commands.exclude, await states('bank')]).toEqual([[], [`${outsider.edge} none`]]);

		// What loosens waits for a root passkey, and then reaches all of them.
		const service = createPolicyService({ query: database.query, identity, now: Date.now });
		const statusFor = async (roles: HubRole[]) =>
			(await service.list(roles)).teams.map(({ team, versions }) => [team, ...versions.map((one) => one.standing)]);
		const added = await policies.add(identity, 'shop', { 'gates.routing.enabled': false }, { by: 'machine' });
		expect(added).toMatchObject({ ready: false, needsRoot: expect.stringContaining('commands.exclude') });
		const team = (await policies.teamOf('shop')) ?? 0;
		const admin: HubRole[] = [{ role: 'admin', team }];
		expect(await statusFor([{ role: 'viewer' }])).toEqual([['bank'], ['shop', 'waits', 'holds']]);
		expect(await statusFor([{ role: 'viewer', team: (await policies.teamOf('bank')) ?? 0 }])).toEqual([['bank']]);
		const [waiting] = (await service.list(admin)).teams[0]?.versions ?? [];
		const sign = (roles: HubRole[], challenge = waiting?.ask?.challenge ?? '') => {
			const answer = Buffer.from(JSON.stringify(authenticator.assert(challenge))).toString('base64url');
			return service.sign({ person: 7, name: 'Ada', roles }, { team, version: 2 }, answer);
		};
		await expect(sign([{ role: 'operator' }])).rejects.toMatchObject({ code: 'auth/forbidden' });
		await expect(sign(admin, 'AAAA')).rejects.toMatchObject({ code: 'passkey/refused' });
		await sign(admin);
		await expect(sign(admin)).rejects.toMatchObject({ code: 'passkey/refused' });
		expect(await statusFor(admin)).toEqual([['shop', 'holds', 'earlier']]);
		const rows = await database.query<{ kind: string; payload: string }>(
			'SELECT kind, payload FROM hub_journal ORDER BY n',
		);
		expect(rows.map(({ kind, payload }) => [kind, JSON.parse(payload).version, JSON.parse(payload).by])).toEqual([
			['policy:set', 1, 'machine'],
			['policy:set', 2, 'machine'],
			['policy:sign', 2, { person: 7, name: 'Ada' }],
		]);
		await vi.waitFor(() => expect(later.settings().gates.routing.enabled).toBe(false), 10_000);
		expect(later.settings().commands.exclude).toEqual([]);

		// Whoever has the hub's key and its database brings nothing back.
		const expires = new Date(Date.now() + 40 * 24 * 3_600_000).toISOString();
		const bad = {
			v: 1,
			team: 'shop',
			version: 3,
			made: expires,
			expires,
			body: { 'gates.loop.enabled': false },
		} as const;
		const { policy, ...sigs } = signPolicy(bad, identity.root.origin, identity.privateKey);
		await database.query(
			'INSERT INTO policies (team, version, body, sigs, expires, ready) VALUES ($1, 3, $2, $3, $4, true)',
			[...[team, JSON.stringify(policy), JSON.stringify(sigs), expires]],
		);
		const why = 'refused only a root passkey may loosen gates.loop.enabled';
		await vi.waitFor(
			async () => expect(await states('shop')).toEqual([`${one.edge} 3 ${why}`, `${later.edge} 3 ${why}`]),
			10_000,
		);
		expect(later.settings().gates.loop.enabled).toBe(true);

		// A revoked machine keeps nothing that was loosened.
		await createEdgeStore(database.query).setStatus(later.edge, 'revoked');
		later.comeAgain();
		await vi.waitFor(() => expect(later.settings().gates.routing.enabled).toBe(true), 10_000);
		expect(one.settings().gates.routing.enabled).toBe(false);
	});

	test('a policy that the database has from before, of a team with an endless name, hides no other and stops none', async () => {
		const endless = 'x'.repeat(250);
		const one = await machine('shop');
		await createEdgeStore(database.query).mintCode(endless, 1, 10);
		await policies.add(identity, endless, { 'commands.exclude': ['dd'] }, { by: 'machine' });
		await database.query('UPDATE edges SET team = (SELECT id FROM teams WHERE name = $1) WHERE id = $2', [
			endless,
			one.edge,
		]);
		const other = await machine('bank');
		await policies.add(identity, 'bank', { 'commands.exclude': ['rm'] }, { by: 'machine' });
		await vi.waitFor(() => expect(other.settings().commands.exclude).toEqual(['rm']), 10_000);
		const { teams } = await createPolicyService({ query: database.query, identity, now: Date.now }).list([
			{ role: 'admin' },
		]);
		expect(teams.map(({ team, versions }) => [team, versions.length])).toEqual([
			['bank', 1],
			['shop', 0],
			[endless, 0],
		]);
	});

	test('by the command line a policy is set, shown and removed; what does not fit is refused with its reason', async () => {
		await createEdgeStore(database.query).mintCode('shop', 1, 10);
		const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
		ends.push(() => rmSync(home, { recursive: true }));
		async function run(...args: string[]) {
			const out: string[] = [];
			const writeLine = (line: string) => void out.push(line);
			const env = { HOME: home, OVERTONE_HOME: home, SIGNALBOX_DATABASE_URL: databaseUrl };
			const code = await dispatch(['hub', 'policy', ...args], { env, cwd: home, print: writeLine, say: writeLine });
			return [code, out.join('\n')];
		}
		const writeJson = (name: string, value: unknown) => writeFileSync(join(home, name), JSON.stringify(value));
		writeJson('good.json', { commands: { exclude: ['rm'] } });
		writeJson('loose.json', { gates: { routing: { enabled: false } } });
		writeJson('wrong.json', { llm: { model: 'x' } });
		const of = ['--team', 'shop', '--url', 'https://hub.example'];
		expect(await run('set', 'good.json', ...of)).toEqual([0, expect.stringMatching(/^v1 of shop is valid until/)]);
		expect(await run('set', 'wrong.json', ...of)).toEqual([
			1,
			'wrong.json is not a policy: llm.model is no setting of a policy.',
		]);
		expect(await run('set', 'loose.json', ...of)).toEqual([
			...[
				1,
				expect.stringContaining(
					'only a root passkey may loosen gates.routing.enabled, commands.exclude, and this hub has no',
				),
			],
		]);
		expect(await run('set', 'good.json', ...of, '--days', '3')).toEqual([
			1,
			expect.stringContaining('may end a policy earlier'),
		]);
		expect(await run('set', 'good.json', '--team', 'none', '--url', 'https://hub.example')).toEqual([
			1,
			expect.stringContaining('no team "none"'),
		]);
		expect(await run('set', 'good.json', ...of, '--version', '7')).toEqual([0, expect.stringMatching(/^v7 of shop/)]);
		expect(await run('remove', ...of)).toEqual([0, expect.stringContaining('Those that have v7 apply it until')]);
		const [code, text] = await run('show', '--team', 'shop');
		expect([
			code,
			String(text)
				.split('\n')
				.map((line) => line.split('\t').at(-1)?.trim()),
		]).toEqual([...[0, ['removed', '{"commands.exclude":["rm"]}', 'removed', '{"commands.exclude":["rm"]}']]]);
		expect((await run('toggle', '--team', 'shop'))[0]).toBe(2);
	});
});
