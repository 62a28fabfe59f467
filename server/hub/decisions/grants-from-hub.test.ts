import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { GrantPreview, GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { Roster } from '#lib/contract/hub/hub-commands.ts';
import type { PersonRoster } from '#lib/contract/hub/hub-people.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { ROSTER_FILE } from '../../edge/membership.ts';
import { startDecisionRig } from '../../testing/decision-rig.ts';
import { startHubRig } from '../../testing/hub-rig.ts';
import { decisionIn, operator } from '../../testing/service-rig.ts';
import { createSoftAuthenticator } from '../../testing/soft-authenticator.ts';
import { createPeopleStore } from '../people/people-store.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';

vi.setConfig({ testTimeout: 60_000 });

const headerOf = (answer: object) => Buffer.from(JSON.stringify(answer)).toString('base64url');
const PATIENCE = 20_000;
const REMEMBERED = {
	...{ decision: 'approve', reason: 'as planned' },
	remember: { scope: 'session', expiresInSeconds: 3600 },
};

describe.runIf(postgresPrograms !== undefined)('grants from the hub', () => {
	const newDatabase = sharedDatabases();
	let databaseUrl: string;
	let rig: Awaited<ReturnType<typeof startDecisionRig>>;
	let rootKey: ReturnType<typeof createSoftAuthenticator>;
	beforeAll(async () => {
		databaseUrl = await newDatabase();
		rig = await startDecisionRig(databaseUrl, ({ hostname: rpId, origin }) => {
			rootKey = createSoftAuthenticator({ rpId, origin });
			return { rpId, rootPasskeys: [{ id: rootKey.id, cose: rootKey.cose }] };
		});
	});
	afterAll(() => rig.stop());

	type Reader = Awaited<ReturnType<typeof rig.signIn>>;
	type Machine = Awaited<ReturnType<typeof rig.machine>>;
	const codeOf = async (response: Promise<Response>) =>
		((await (await response).json()) as { error?: { code: string } }).error?.code;
	const activeFor = async (reader: Reader) =>
		((await (await reader.get('/api/grants?state=active')).json()) as { grants: GrantRecord[] }).grants;
	/** The one that the hub knows of at a machine. */
	async function grantAt(reader: Reader, name: string): Promise<GrantRecord> {
		return vi.waitFor(async () => {
			const found = (await activeFor(reader)).find(({ machine }) => machine?.name === name);
			if (!found) throw new Error(`The hub knows of no grant at ${name}.`);
			return found;
		}, PATIENCE);
	}
	/** Whether the next call like it runs without a question. */
	async function runsUnasked({ ask, service }: Machine, id: string): Promise<boolean> {
		const later = await ask(id);
		const isWaiting = service.service.get(later.id)?.state === 'waiting';
		if (isWaiting) await service.service.decide(later.id, { decision: 'deny' }, operator);
		return decisionIn(await later.answer).decision === 'allow' && !isWaiting;
	}
	/** What the hub knows of how far the machine's owner lets people allow later calls. */
	const whenReach = (machine: Machine, reach: string) =>
		vi.waitFor(async () => {
			machine.pusher.sendTickets();
			const found = await rig.hub.query('SELECT 1 FROM edges WHERE id = $1 AND grants = $2', [machine.edge, reach]);
			expect(found).toHaveLength(1);
		}, PATIENCE);

	/** Somebody whose passkey the machine's roster names; `touch` answers what this request asks of it. */
	async function inRoster(machine: Machine, name: string) {
		const person = await rig.person(name, [{ role: 'operator' }]);
		const [reader, owner] = [await rig.signIn(person), await rig.signIn()];
		const key = createSoftAuthenticator({ rpId: rig.url.hostname, origin: rig.url.origin });
		const begun = (await (await reader.post('/api/hub/passkeys/options', {})).json()) as { challenge: string };
		await reader.post('/api/hub/passkeys', { name: 'laptop', response: key.register(begun.challenge) });
		const rosterPath = `/api/hub/people/${person}/roster`;
		const { passkeys } = (await (await owner.get(rosterPath)).json()) as PersonRoster;
		const signed = headerOf(rootKey.assert(passkeys[0]?.ask?.challenge ?? ''));
		expect((await owner.post(rosterPath, { passkey: key.id, answer: signed })).status).toBe(200);
		const rosterThere = () => JSON.parse(readFileSync(join(machine.home, ROSTER_FILE), 'utf8')) as Roster;
		const isThere = () => rosterThere().entries.some(({ entry }) => entry.passkey.id === key.id);
		await vi.waitFor(() => expect(isThere()).toBe(true), PATIENCE);
		const touch = async (path: string, body: object) => {
			const issued = await reader.post('/api/hub/passkeys/challenge', { path, body });
			const { challenge } = (await issued.json()) as { challenge: string };
			return { [PASSKEY_HEADER]: headerOf(key.assert(challenge)) };
		};
		return { person, owner, reader, touch };
	}
	/** A call that nobody decided in time, as the hub knows it. */
	async function expired(machine: Machine, reader: Reader, toolUseId: string): Promise<string> {
		const { id, answer } = await machine.ask(toolUseId);
		await rig.whenWaiting(reader, id);
		await whenReach(machine, 'session');
		await machine.service.advance(61_000);
		await answer;
		machine.pusher.sendTickets();
		await vi.waitFor(async () => expect((await rig.read(reader, id)).state).toBe('expired'), PATIENCE);
		return id;
	}
	const NEXT_TRY = { scope: 'once', reason: 'as planned' };

	test('the next try of a denied call is allowed at the hub, from another replica than the machine’s, exactly once', async () => {
		const machine = await rig.machine('denied', 'hub');
		const owner = await rig.signIn();
		const id = await expired(machine, owner, 'call-1');
		const home = mkdtempSync(join(tmpdir(), 'signalbox-hub-'));
		cpSync(rig.home, home, { recursive: true });
		const other = await startHubRig(databaseUrl, home, undefined, { behind: rig.url });
		rig.network.leadTo(other.port);
		const source = { sessionId: `${machine.edge}/s1`, toolUseId: 'call-1' };
		const preview = await owner.get(`/api/grants/preview?${new URLSearchParams({ ...source, scope: 'once' })}`);
		const shown = ((await preview.json()) as { preview: GrantPreview }).preview;
		expect(shown.words).toEqual(machine.service.service.get(id)?.denials.map(({ words }) => words));
		const viewer = await rig.signIn(await rig.person('val', [{ role: 'viewer' }]));
		expect(await codeOf(viewer.post('/api/grants', { ...NEXT_TRY, ...source }))).toBe('auth/forbidden');
		const project = { ...NEXT_TRY, scope: 'project', approvalId: id };
		expect(await codeOf(owner.post('/api/grants', project))).toBe('grant/at-machine');
		expect(await codeOf(owner.post('/api/grants', { ...NEXT_TRY, approvalId: 'no-such-approval' }))).toBe(
			'approval/not-found',
		);
		expect(await rig.hub.query('SELECT n FROM commands WHERE edge = $1', [machine.edge])).toEqual([]);

		const made = await owner.post('/api/grants', { ...NEXT_TRY, approvalId: id });
		const { grant } = (await made.json()) as { grant: GrantRecord };
		expect(grant).toMatchObject({
			...{ state: 'active', scope: 'once', reason: 'as planned', approvalId: id, sessionId: source.sessionId },
			...{ by: { via: 'hub', name: 'Owner', hub: { level: 'hub' } }, machine: { name: 'denied', team: 'shop' } },
		});
		expect(await codeOf(owner.post('/api/grants', { ...NEXT_TRY, ...source }))).toBe('grant/repeated');
		expect(await runsUnasked(machine, 'call-2')).toBe(true);
		expect(machine.service.grants.get(grant.id)?.state).toBe('used');
		expect(await runsUnasked(machine, 'call-3')).toBe(false);
		const rows = await rig.hub.query<{ subject: string }>("SELECT subject FROM hub_journal WHERE kind = 'hub:grant'");
		expect(rows).toEqual([{ subject: id }, { subject: 's1' }]);
		rig.network.leadTo(rig.port);
		await other.stop();
	});

	test('a call that waits is decided first, and what somebody allowed who may not any more is not sent', async () => {
		const machine = await rig.machine('waiting', 'hub');
		const who = await rig.person('joe', [{ role: 'operator' }]);
		const joe = await rig.signIn(who);
		const id = await expired(machine, joe, 'call-1');
		const later = await machine.ask('call-2');
		await rig.whenWaiting(joe, later.id);
		expect(await codeOf(joe.post('/api/grants', { ...NEXT_TRY, approvalId: later.id }))).toBe('grant/waiting');
		await machine.service.service.decide(later.id, { decision: 'deny' }, operator);
		await later.answer;
		rig.network.cut();
		const allowed = codeOf(joe.post('/api/grants', { ...NEXT_TRY, approvalId: id }));
		await vi.waitFor(async () => {
			expect(await rig.hub.query('SELECT n FROM commands WHERE edge = $1', [machine.edge])).toHaveLength(1);
		}, PATIENCE);
		await createPeopleStore(rig.hub.query).removeRole(who, { role: 'operator' });
		rig.network.mend();
		expect(await allowed).toBe('auth/forbidden');
		expect(machine.service.grants.list(undefined, 9)).toEqual([]);
	});

	test('at a machine that checks passkeys one signs exactly what is allowed', async () => {
		const machine = await rig.machine('safe', 'passkey');
		const { reader, touch } = await inRoster(machine, 'ada');
		const id = await expired(machine, reader, 'call-1');
		const wanted = { ...NEXT_TRY, approvalId: id };
		expect(await codeOf(reader.post('/api/grants', wanted))).toBe('passkey/needed');
		const proof = await touch('/api/grants', wanted);
		expect(await codeOf(reader.post('/api/grants', { ...wanted, scope: 'session' }, proof))).toBe('passkey/refused');
		const made = await reader.post('/api/grants', wanted, proof);
		const { grant } = (await made.json()) as { grant: GrantRecord };
		expect(grant.by).toMatchObject({ name: 'ada', hub: { level: 'passkey', passkey: expect.any(String) } });
		expect(await runsUnasked(machine, 'call-2')).toBe(true);
		expect(await codeOf(reader.post('/api/grants', wanted, proof))).toBe('grant/repeated');
	});

	test('a call is approved and remembered at the hub; later ones run, both sides show by whom, and the hub takes it back', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const { id, answer } = await machine.ask('call-1');
		const owner = await rig.signIn();
		expect((await rig.whenWaiting(owner, id)).machine).toMatchObject({ name: 'laptop', level: 'hub' });
		await whenReach(machine, 'session');

		const preview = await owner.get(`/api/grants/preview?approvalId=${id}&scope=session`);
		const shown = ((await preview.json()) as { preview: GrantPreview }).preview;
		expect(shown.words).toEqual(machine.service.service.get(id)?.denials.map(({ words }) => words));
		const path = `/api/approvals/${id}`;
		const wider = { ...REMEMBERED, remember: { scope: 'project' } };
		expect(await codeOf(owner.post(path, wider))).toBe('grant/at-machine');
		expect(await rig.hub.query('SELECT n FROM commands WHERE edge = $1', [machine.edge])).toEqual([]);

		expect((await owner.post(path, REMEMBERED)).status).toBe(200);
		expect(decisionIn(await answer)).toMatchObject({ decision: 'allow' });
		expect(await runsUnasked(machine, 'call-2')).toBe(true);
		const grant = await grantAt(owner, 'laptop');
		expect(grant).toMatchObject({
			...{ scope: 'session', reason: 'as planned', approvalId: id, sessionId: `${machine.edge}/s1` },
			by: { via: 'hub', name: 'Owner', hub: { sub: 'owner', level: 'hub' } },
			machine: { name: 'laptop', team: 'shop' },
		});
		expect(machine.service.grants.list('active', 9)).toMatchObject([{ id: grant.id, by: grant.by }]);

		const viewer = await rig.signIn(await rig.person('vic', [{ role: 'viewer' }]));
		expect(await codeOf(viewer.post(`/api/grants/${grant.id}/revoke`, {}))).toBe('auth/forbidden');
		const taken = await owner.post(`/api/grants/${grant.id}/revoke`, { reason: 'over' });
		expect(taken.status).toBe(200);
		expect(machine.service.grants.get(grant.id)).toMatchObject({ state: 'revoked', endReason: 'over' });
		await vi.waitFor(async () => expect(await activeFor(owner)).toEqual([]), PATIENCE);
		expect(await codeOf(owner.post(`/api/grants/${grant.id}/revoke`, {}))).toBe('grant/ended');
		expect(await runsUnasked(machine, 'call-3')).toBe(false);
		const rows = await rig.hub.query<{ kind: string; payload: string }>(
			"SELECT kind, payload FROM hub_journal WHERE kind IN ('hub:decide', 'hub:revoke') ORDER BY n",
		);
		expect(rows.map(({ kind, payload }) => [kind, JSON.parse(payload)])).toMatchObject([
			['hub:decide', { said: REMEMBERED }],
			['hub:revoke', { edge: machine.edge, reason: 'over', person: { sub: 'owner' } }],
		]);
	});

	test('R2235 a machine that does not say how far it lets people allow later calls is asked for nothing of the kind', async () => {
		const machine = await rig.machine('older', 'hub');
		const { id, answer } = await machine.ask('call-1');
		const owner = await rig.signIn();
		await rig.whenWaiting(owner, id);
		await whenReach(machine, 'session');
		// As it is where the machine's program is of before.
		await rig.hub.query("UPDATE edges SET grants = 'never' WHERE id = $1", [machine.edge]);
		expect(await codeOf(owner.post(`/api/approvals/${id}`, REMEMBERED))).toBe('grant/at-machine');
		expect(await rig.hub.query('SELECT n FROM commands WHERE edge = $1', [machine.edge])).toEqual([]);
		expect(machine.service.service.get(id)?.state).toBe('waiting');
		expect((await owner.post(`/api/approvals/${id}`, { decision: 'approve' })).status).toBe(200);
		await answer;
		expect(machine.service.grants.list(undefined, 9)).toEqual([]);
	});

	test('grants of a person who was switched off since, or may not allow any more, are revoked by the hub', async () => {
		const owner = await rig.signIn();
		const people = createPeopleStore(rig.hub.query);
		const ends = ['switched off', 'without the role'].map(async (how) => {
			const machine = await rig.machine(how, 'hub');
			const who = await rig.person(`eve ${how}`, [{ role: 'operator' }]);
			const eve = await rig.signIn(who);
			const { id, answer } = await machine.ask('call-1');
			await rig.whenWaiting(eve, id);
			await whenReach(machine, 'session');
			expect((await eve.post(`/api/approvals/${id}`, REMEMBERED)).status).toBe(200);
			await answer;
			const { id: grant } = await grantAt(owner, how);
			if (how === 'switched off') await people.setDisabled(who, true);
			else await people.removeRole(who, { role: 'operator' });
			await vi.waitFor(() => expect(machine.service.grants.get(grant)?.state).toBe('revoked'), PATIENCE);
			expect(await runsUnasked(machine, 'call-2')).toBe(false);
		});
		await Promise.all(ends);
	});

	test('R2231 at a machine that checks passkeys the scope is what the passkey signs, and its person’s end in the roster is the grant’s', async () => {
		const machine = await rig.machine('vault', 'passkey');
		const { person, owner, reader: ann, touch } = await inRoster(machine, 'ann');
		const { id, answer } = await machine.ask('call-1');
		await rig.whenWaiting(ann, id);
		await whenReach(machine, 'session');
		const path = `/api/approvals/${id}`;
		const bare = await touch(path, { decision: 'approve', reason: 'as planned' });
		expect(await codeOf(ann.post(path, REMEMBERED, bare))).toBe('passkey/refused');
		const proof = await touch(path, REMEMBERED);
		const longer = { ...REMEMBERED, remember: { scope: 'session', expiresInSeconds: 7200 } };
		expect(await codeOf(ann.post(path, longer, proof))).toBe('passkey/refused');
		expect((await ann.post(path, REMEMBERED, proof)).status).toBe(200);
		expect(decisionIn(await answer)).toMatchObject({ decision: 'allow' });
		const grant = await grantAt(ann, 'vault');
		expect(grant.by).toMatchObject({ name: 'ann', hub: { level: 'passkey', passkey: expect.any(String) } });
		expect(await runsUnasked(machine, 'call-2')).toBe(true);

		await owner.post(`/api/hub/people/${person}`, { action: 'disable' });
		await vi.waitFor(async () => {
			await machine.service.grants.sweep();
			expect(machine.service.grants.get(grant.id)?.state).not.toBe('active');
		}, PATIENCE);
		expect(await runsUnasked(machine, 'call-3')).toBe(false);
	});

	test('R2232 a machine that is revoked has no grant of the hub any more', async () => {
		const machine = await rig.machine('sent', 'hub');
		const owner = await rig.signIn();
		const { id, answer } = await machine.ask('call-1');
		await rig.whenWaiting(owner, id);
		await whenReach(machine, 'session');
		await owner.post(`/api/approvals/${id}`, REMEMBERED);
		await answer;
		const { id: grant } = await grantAt(owner, 'sent');
		await rig.hub.query("UPDATE edges SET status = 'revoked' WHERE id = $1", [machine.edge]);
		rig.network.cut();
		rig.network.mend();
		await vi.waitFor(async () => {
			await machine.service.grants.sweep();
			expect(machine.service.grants.get(grant)).toMatchObject({
				state: 'expired',
				endReason: expect.stringContaining('sent'),
			});
		}, PATIENCE);
	});
});
