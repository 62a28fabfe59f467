import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import { startDecisionRig } from '../../testing/decision-rig.ts';
import { decisionIn } from '../../testing/service-rig.ts';
import { createPeopleStore } from '../people/people-store.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';

vi.setConfig({ testTimeout: 60_000 });

describe.runIf(postgresPrograms !== undefined)('decisions from the hub', () => {
	const newDatabase = sharedDatabases();
	let rig: Awaited<ReturnType<typeof startDecisionRig>>;
	beforeEach(async () => {
		rig = await startDecisionRig(await newDatabase());
	});
	afterEach(() => rig.stop());

	test('R2047 a call that waits at a machine is approved at its hub, and released there', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const { id, answer } = await machine.ask('call-1');
		const ann = await rig.signIn();
		const waiting = await rig.whenWaiting(ann, id);
		expect(waiting).toMatchObject({
			...{ id, state: 'waiting', sessionId: `${machine.edge}/s1`, tool: 'Task' },
			machine: { name: 'laptop', team: 'shop', level: 'hub' },
		});
		const decided = await ann.post(`/api/approvals/${id}`, { decision: 'approve', reason: 'as planned' });
		expect(decided.status).toBe(200);
		const { approval } = (await decided.json()) as { approval: ApprovalRecord };
		expect(approval).toMatchObject({
			state: 'approved',
			reason: 'as planned',
			by: { via: 'hub', hub: { command: 1 } },
		});
		expect(decisionIn(await answer)).toMatchObject({ decision: 'allow' });
		const atMachine = machine.service.service.get(id);
		expect(atMachine).toMatchObject({ state: 'approved', by: { via: 'hub', role: 'operator' } });
		const rows = await rig.hub.query<{ kind: string; subject: string }>('SELECT kind, subject FROM hub_journal');
		expect(rows).toEqual([{ kind: 'hub:decide', subject: id }]);
	});

	test('how long a decision took to its machine, and the call until it was released, is in the numbers; so is why one was refused', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const [released, late] = [await machine.ask('call-1'), await machine.ask('call-2')];
		const ann = await rig.signIn();
		await rig.whenWaiting(ann, late.id);
		const counts = async () => [
			await rig.numberOf('signalbox_hub_decision_seconds_count'),
			await rig.numberOf('signalbox_hub_ticket_seconds_count'),
			await rig.numberOf('signalbox_hub_refusals_total{why="desk"}'),
		];
		expect(await counts()).toEqual([0, 0, 0]);
		expect((await ann.post(`/api/approvals/${released.id}`, { decision: 'approve' })).status).toBe(200);
		expect(await counts()).toEqual([1, 1, 0]);
		await machine.service.service.decide(late.id, { decision: 'deny' }, { role: 'operator', via: 'token' });
		expect((await ann.post(`/api/approvals/${late.id}`, { decision: 'approve' })).status).toBe(409);
		expect(await counts()).toEqual([2, 1, 1]);
		await Promise.all([released.answer, late.answer]);
	});

	test('R2048 of two people who decide at once one is first, and the other learns so', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const { id, answer } = await machine.ask('call-1');
		const [ann, ben] = [await rig.signIn(), await rig.signIn()];
		await rig.whenWaiting(ann, id);
		const answers = await Promise.all([
			ann.post(`/api/approvals/${id}`, { decision: 'approve' }),
			ben.post(`/api/approvals/${id}`, { decision: 'deny' }),
		]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const late = await ben.post(`/api/approvals/${id}`, { decision: 'approve' });
		expect([late.status, (await late.json()).error.code]).toEqual([409, 'approval/decided']);
		await answer;
		expect(machine.service.journal.byKind(['approval:resolve'], { limit: 9 })).toHaveLength(1);
	});

	test('R2049 at a machine whose owner lets nobody decide from the hub, nobody does', async () => {
		const machine = await rig.machine('laptop', 'watch');
		const { id, answer } = await machine.ask('call-1');
		const ann = await rig.signIn();
		expect((await rig.whenWaiting(ann, id)).machine?.level).toBe('watch');
		const refused = await ann.post(`/api/approvals/${id}`, { decision: 'approve' });
		expect([refused.status, (await refused.json()).error.code]).toEqual([403, 'hub/watch-only']);
		await machine.service.service.decide(id, { decision: 'deny' }, { role: 'operator', via: 'token' });
		expect(decisionIn(await answer)).toMatchObject({ decision: 'deny' });
		machine.pusher.sendTickets();
		await vi.waitFor(async () => expect((await rig.read(ann, id)).state).toBe('denied'), 20_000);
	});

	test('a call that was not decided in time, or was decided at the machine, shows as that at the hub', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const [late, taken] = [await machine.ask('call-1'), await machine.ask('call-2')];
		const ann = await rig.signIn();
		await rig.whenWaiting(ann, taken.id);
		await machine.service.service.decide(taken.id, { decision: 'approve' }, { role: 'operator', via: 'token' });
		const other = await ann.post(`/api/approvals/${taken.id}`, { decision: 'approve' });
		expect([other.status, (await other.json()).error.code]).toEqual([409, 'approval/decided']);
		await machine.service.advance(3_600_000);
		machine.pusher.sendTickets();
		const tooLate = await ann.post(`/api/approvals/${late.id}`, { decision: 'approve' });
		expect([tooLate.status, (await tooLate.json()).error.code]).toEqual([410, 'approval/late']);
		await Promise.all([late.answer, taken.answer]);
	});

	test('a command whose answer was lost is answered after the next connection, and executed once', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const { id, answer } = await machine.ask('call-1');
		const ann = await rig.signIn();
		await rig.whenWaiting(ann, id);
		rig.network.cut();
		const decided = ann.post(`/api/approvals/${id}`, { decision: 'approve' });
		await vi.waitFor(async () => {
			expect(await rig.hub.query("SELECT n FROM commands WHERE state = 'waiting'")).toHaveLength(1);
		});
		rig.network.mend();
		expect((await decided).status).toBe(200);
		expect(decisionIn(await answer)).toMatchObject({ decision: 'allow' });
		// As if the hub had never heard it.
		rig.network.cut();
		await rig.hub.query("UPDATE commands SET state = 'waiting', result = NULL");
		rig.network.mend();
		await vi.waitFor(async () => {
			const [row] = await rig.hub.query<{ result: string }>('SELECT result FROM commands');
			expect(JSON.parse(row?.result ?? '{}')).toMatchObject({ n: 1, state: 'done' });
		}, 20_000);
		expect(machine.service.journal.byKind(['approval:resolve'], { limit: 9 })).toHaveLength(1);
	});

	test.each(['switched off', 'without the role'])(
		'what somebody has decided who is %s before the machine hears it is not sent, and the next decision counts',
		async (how) => {
			const machine = await rig.machine('laptop', 'hub');
			const { id, answer } = await machine.ask('call-1');
			const who = await rig.person('eve', [{ role: 'operator' }]);
			const [eve, ann] = [await rig.signIn(who), await rig.signIn()];
			await rig.whenWaiting(ann, id);
			rig.network.cut();
			const approved = eve.post(`/api/approvals/${id}`, { decision: 'approve' });
			await vi.waitFor(async () => expect(await rig.hub.query('SELECT n FROM commands')).toHaveLength(1));
			const people = createPeopleStore(rig.hub.query);
			if (how === 'switched off') await people.setDisabled(who, true);
			else await people.removeRole(who, { role: 'operator' });
			rig.network.mend();
			expect((await approved).status).toBe(403);
			const denied = await ann.post(`/api/approvals/${id}`, { decision: 'deny' });
			expect(decisionIn(await answer)).toMatchObject({ decision: 'deny' });
			expect(denied.status).toBe(200);
			expect(machine.service.service.get(id)).toMatchObject({ state: 'denied', by: { hub: { command: 2 } } });
			const rows = await rig.hub.query<{ subject: string; payload: string }>(
				"SELECT subject, payload FROM hub_journal WHERE kind = 'hub:withdraw'",
			);
			expect(rows.map(({ subject, payload }) => [subject, JSON.parse(payload)])).toEqual([
				[
					id,
					expect.objectContaining({
						command: 1,
						why: 'auth/forbidden',
						person: expect.objectContaining({ sub: 'eve' }),
					}),
				],
			]);
		},
	);

	test('a decision is shown while the machine has not answered, and no other is accepted after it', async () => {
		const [machine, far] = [await rig.machine('laptop', 'hub'), await rig.machine('other', 'hub', 'web')];
		const { id, answer } = await machine.ask('call-1');
		const eve = await rig.signIn(await rig.person('eve', [{ role: 'operator' }]));
		const ann = await rig.signIn();
		const [edgeRow] = await rig.hub.query<{ team: number }>('SELECT team FROM edges WHERE id = $1', [far.edge]);
		const bob = await rig.signIn(await rig.person('bob', [{ role: 'operator', team: edgeRow?.team ?? 0 }]));
		const readDecisions = async (reader: typeof ann) => (await reader.get('/api/hub/decisions')).json();
		await rig.whenWaiting(ann, id);
		expect(await readDecisions(ann)).toEqual({ decisions: [] });
		rig.network.cut();
		const first = eve.post(`/api/approvals/${id}`, { decision: 'approve' });
		const decision = { approval: id, decision: 'approve', name: 'eve', machine: 'laptop' };
		await vi.waitFor(async () => expect(await readDecisions(ann)).toEqual({ decisions: [decision] }));
		expect(await readDecisions(bob)).toEqual({ decisions: [] });
		const refused = await ann.post(`/api/approvals/${id}`, { decision: 'deny' });
		expect([refused.status, (await refused.json()).error]).toEqual([
			409,
			{
				code: 'hub/under-way',
				message: 'eve has approved it: laptop has not answered yet. Nothing of yours was sent.',
			},
		]);
		expect(await rig.hub.query('SELECT n FROM commands')).toHaveLength(1);
		rig.network.mend();
		expect((await first).status).toBe(200);
		await answer;
		expect(await readDecisions(ann)).toEqual({ decisions: [] });
	});

	test('attack by reach: an operator of one team neither reads nor decides what waits in another', async () => {
		const [machine, far] = [await rig.machine('laptop', 'hub'), await rig.machine('other', 'hub', 'web')];
		const { id, answer } = await machine.ask('call-1');
		const ann = await rig.signIn();
		await rig.whenWaiting(ann, id);
		const [edgeRow] = await rig.hub.query<{ team: number }>('SELECT team FROM edges WHERE id = $1', [far.edge]);
		const bob = await rig.signIn(await rig.person('bob', [{ role: 'operator', team: edgeRow?.team ?? 0 }]));
		const session = encodeURIComponent(`${machine.edge}/s1`);
		const paths = [
			...[
				'/api/approvals',
				'/api/approvals?state=waiting',
				`/api/approvals/${id}`,
				'/api/sessions',
				'/api/hub/decisions',
			],
			...[
				`/api/sessions/${session}`,
				`/api/sessions/${session}/rows`,
				`/api/sessions/${session}/events`,
				'/api/grants',
			],
			...['/api/search?q=architect', '/api/ledger', '/api/hub/machines', '/api/hub/audit'],
		];
		const approvalsOf = async (reader: typeof bob) =>
			Promise.all(paths.map(async (path) => (await reader.get(path)).text().then((text) => [path, text] as const)));
		const names = (text: string) => text.includes(id) || text.includes(`${machine.edge}/s1`) || text.includes('laptop');
		expect((await approvalsOf(ann)).filter(([, text]) => names(text)).length).toBeGreaterThanOrEqual(4);
		expect((await approvalsOf(bob)).filter(([, text]) => names(text))).toEqual([]);
		const remembered = { sessionId: `${machine.edge}/s1`, toolUseId: 'call-1', scope: 'session', reason: 'x' };
		const tries = [
			await bob.post(`/api/approvals/${id}`, { decision: 'approve' }),
			await bob.post(`/api/approvals/${id}`, { decision: 'deny' }),
			await bob.post('/api/grants', remembered),
		];
		expect(tries.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
		expect(await rig.hub.query('SELECT n FROM commands')).toEqual([]);
		await ann.post(`/api/approvals/${id}`, { decision: 'deny' });
		expect(decisionIn(await answer)).toMatchObject({ decision: 'deny' });
	});

	test('somebody who may decide and watches at the hub counts as there for a minute, and not without its word', async () => {
		const machine = await rig.machine('laptop', 'hub');
		const watching = await rig.machine('other', 'watch');
		expect(machine.lease.isRunning()).toBe(false);
		const socket = await (await rig.signIn()).connect();
		await vi.waitFor(() => expect(machine.lease.isRunning()).toBe(true), 20_000);
		expect(watching.lease.isRunning()).toBe(false);
		socket.disconnect();
	});

	test('R2045 an approval request that arrived at another replica is sent to the edge of this one within seconds', async () => {
		const machine = await rig.machine('laptop', 'hub');
		await rig.hub.query("INSERT INTO commands (edge, n, kind, envelope) VALUES ($1, 7, 'x', '{}')", [machine.edge]);
		await vi.waitFor(async () => {
			expect(await rig.hub.query("SELECT n FROM commands WHERE n = 7 AND state = 'refused'")).toHaveLength(1);
		}, 20_000);
	});

	test('an edge cannot claim what another has reported', async () => {
		const [one, other] = [await rig.machine('one', 'hub'), await rig.machine('other', 'hub', 'web')];
		const { id, answer } = await one.ask('call-1');
		const ann = await rig.signIn();
		await rig.whenWaiting(ann, id);
		await rig.hub.query(
			`INSERT INTO edge_journal SELECT $1, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash
			FROM edge_journal WHERE edge = $2`,
			[other.edge, one.edge],
		);
		await rig.tickets.recordOpen(other.edge, [{ id, digest: 'f'.repeat(64), nonce: 'n'.repeat(32), leftMs: 60_000 }]);
		expect((await rig.read(ann, id)).machine?.name).toBe('one');
		await ann.post(`/api/approvals/${id}`, { decision: 'deny' });
		await answer;
	});
});
