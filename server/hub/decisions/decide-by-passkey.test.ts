import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { Roster } from '#lib/contract/hub/hub-commands.ts';
import type { PersonRoster } from '#lib/contract/hub/hub-people.ts';
import { PASSKEY_HEADER } from '../../access/webauthn.ts';
import { ROSTER_FILE } from '../../edge/membership.ts';
import { startDecisionRig } from '../../testing/decision-rig.ts';
import { decisionIn } from '../../testing/service-rig.ts';
import { createSoftAuthenticator } from '../../testing/soft-authenticator.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';

vi.setConfig({ testTimeout: 60_000 });

const headerOf = (answer: object) => Buffer.from(JSON.stringify(answer)).toString('base64url');

describe.runIf(postgresPrograms !== undefined)('decisions by passkey', () => {
	const newDatabase = sharedDatabases();
	let rig: Awaited<ReturnType<typeof startDecisionRig>>;
	let rootKey: ReturnType<typeof createSoftAuthenticator>;
	beforeAll(async () => {
		rig = await startDecisionRig(await newDatabase(), ({ hostname: rpId, origin }) => {
			rootKey = createSoftAuthenticator({ rpId, origin });
			return { rpId, rootPasskeys: [{ id: rootKey.id, cose: rootKey.cose }] };
		});
	});
	afterAll(async () => {
		await rig.stop();
	});

	test('R2135 a root passkey signs a person’s into the roster, and from then on that one decides at the machine', async () => {
		const machine = await rig.machine('laptop', 'passkey');
		const rosterThere = () => JSON.parse(readFileSync(join(machine.home, ROSTER_FILE), 'utf8')) as Roster;
		const [team] = await rig.hub.query<{ id: number }>("SELECT id FROM teams WHERE name = 'shop'");
		const person = await rig.person('ann', [{ role: 'operator', team: team?.id ?? 0 }]);
		const [ann, owner] = [await rig.signIn(person), await rig.signIn()];
		const annsKey = createSoftAuthenticator({ rpId: rig.url.hostname, origin: rig.url.origin });
		const begun = (await (await ann.post('/api/hub/passkeys/options', {})).json()) as { challenge: string };
		const enrolled = { name: 'laptop', response: annsKey.register(begun.challenge) };
		expect((await ann.post('/api/hub/passkeys', enrolled)).status).toBe(200);

		const { id, answer } = await machine.ask('call-1');
		await rig.whenWaiting(ann, id);
		const path = `/api/approvals/${id}`;
		const decision = { decision: 'approve', reason: 'as planned' };
		const codeOf = async (response: Promise<Response>) => ((await (await response).json()) as Refused).error?.code;
		expect(await codeOf(ann.post(path, decision))).toBe('roster/person');

		const rosterPath = `/api/hub/people/${person}/roster`;
		const { passkeys } = (await (await owner.get(rosterPath)).json()) as PersonRoster;
		expect(passkeys).toMatchObject([{ id: annsKey.id, label: 'laptop', signed: false }]);
		const challenge = passkeys[0]?.ask?.challenge ?? '';
		const sign = (key: typeof annsKey) =>
			owner.post(rosterPath, { passkey: annsKey.id, answer: headerOf(key.assert(challenge)) });
		expect(await codeOf(sign(annsKey))).toBe('passkey/refused');
		expect(await codeOf(ann.post(rosterPath, { passkey: annsKey.id, answer: 'x' }))).toBe('auth/forbidden');
		expect(await (await sign(rootKey)).json()).toMatchObject({ passkeys: [{ signed: true, ask: null }] });
		await vi.waitFor(() => expect(rosterThere().entries).toHaveLength(1), 20_000);

		expect(await codeOf(ann.post(path, decision))).toBe('passkey/needed');
		const issued = (await (
			await ann.post('/api/hub/passkeys/challenge', { path, body: decision })
		).json()) as Challenge;
		expect(issued.allowCredentials).toEqual([{ id: annsKey.id, type: 'public-key' }]);
		const header = { [PASSKEY_HEADER]: headerOf(annsKey.assert(issued.challenge)) };
		expect(await codeOf(ann.post(path, { ...decision, reason: 'another one' }, header))).toBe('passkey/refused');
		const decided = (await (await ann.post(path, decision, header)).json()) as { approval: ApprovalRecord };
		const by = { via: 'hub', name: 'ann', hub: { sub: 'ann', level: 'passkey' } };
		expect(decided.approval).toMatchObject({ state: 'approved', reason: 'as planned', by });
		expect(decisionIn(await answer)).toMatchObject({ decision: 'allow' });
		const [row] = await rig.hub.query<{ payload: string }>("SELECT payload FROM hub_journal WHERE kind = 'hub:decide'");
		expect(JSON.parse(row?.payload ?? '{}')).toMatchObject({ assertion: { id: annsKey.id } });

		// Whoever may do less than was signed is in no roster any more.
		await rig.hub.query('UPDATE roles SET scope_kind = $2, scope_id = $3 WHERE person = $1', [
			...[person, 'project', `${team?.id}/web`],
		]);
		await vi.waitFor(() => expect(rosterThere().entries).toEqual([]), 20_000);
		const after = (await (await owner.get(rosterPath)).json()) as PersonRoster;
		expect(after.passkeys).toMatchObject([{ signed: false, ask: { rpId: rig.url.hostname } }]);

		// A revoked machine keeps no roster.
		await rig.hub.query("UPDATE edges SET status = 'revoked' WHERE id = $1", [machine.edge]);
		rig.network.cut();
		rig.network.mend();
		await vi.waitFor(() => expect(existsSync(join(machine.home, ROSTER_FILE))).toBe(false), 20_000);
	});

	test('a machine takes the roster of a hub whose database was restored, and of which it had newer ones', async () => {
		const machine = await rig.machine('desktop', 'passkey');
		const version = () => Roster.parse(JSON.parse(readFileSync(join(machine.home, ROSTER_FILE), 'utf8'))).version;
		await rig.hub.query('UPDATE rosters SET version = 7');
		await vi.waitFor(() => expect(version()).toBe(7), 20_000);
		await rig.hub.query('WITH sent AS (DELETE FROM roster_sends) UPDATE rosters SET version = 2');
		await vi.waitFor(() => expect(version()).toBeGreaterThan(1_000_000), 20_000);
	});
});

type Refused = { error?: { code: string } };
type Challenge = { challenge: string; allowCredentials: { id: string }[] };
