import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DecisionBody } from '#lib/contract/approvals/approval-record.ts';
import { rememberingService } from '../../pages/api/api.ts';
import {
	decisionIn,
	deniedCall,
	hookHeaders,
	operator,
	type ServiceRig,
	startService,
} from '../../testing/service-rig.ts';

let rig: ServiceRig;
let calls = 0;
beforeAll(async () => {
	rig = await startService();
});
afterAll(() => rig.stop());

async function waiting(input = {}) {
	calls += 1;
	const waits = rig.next<string>('waiting');
	const { location = '' } = await rig.post(deniedCall(rig.project, `call-${calls}`, input), hookHeaders(`r-${calls}`));
	const answer = rig.poll(location).then(({ body }) => decisionIn(body).decision);
	return { id: await waits, answer };
}
const remembered: DecisionBody = { decision: 'approve', reason: 'as planned', remember: { scope: 'session' } };
const service = (role: 'operator' | 'viewer' = 'operator', create = rig.grants.create) =>
	rememberingService({ service: rig.service, grants: { create } }, { role });

test('one request approves a call and allows later ones like it, in one person’s name', async () => {
	const { id, answer } = await waiting();
	expect(await service().decide(id, remembered, operator)).toMatchObject({
		id,
		state: 'approved',
		reason: 'as planned',
	});
	expect(await answer).toBe('allow');
	const [grant] = rig.grants.list('active', 9);
	expect(grant).toMatchObject({ scope: 'session', approvalId: id, reason: 'as planned', by: operator });
	await rig.grants.revoke(grant?.id ?? '', {}, operator);
});

test('the same call right behind the answer is allowed: the agent hears of the approval when the grant holds', async () => {
	const { id, answer } = await waiting();
	const activeAtAnswer = answer.then(() => rig.grants.list('active', 9).map(({ approvalId }) => approvalId));
	const slowly: typeof rig.grants.create = async (...args) => {
		for (let n = 0; n < 3; n++) await rig.poll('/tickets/of-nobody');
		return rig.grants.create(...args);
	};
	await service('operator', slowly).decide(id, remembered, operator);
	expect(await activeAtAnswer).toEqual([id]);
	const [grant] = rig.grants.list('active', 9);
	await rig.grants.revoke(grant?.id ?? '', {}, operator);
});

test('what cannot be remembered is not approved either, nor by who may decide this one call alone', async () => {
	const { id, answer } = await waiting();
	const refused: [Promise<unknown>, string][] = [
		[service('viewer').decide(id, remembered, operator), 'auth/forbidden'],
		[service().decide(id, { ...remembered, decision: 'deny' }, operator), 'request/invalid'],
		[service().decide(id, { ...remembered, reason: '' }, operator), 'request/invalid'],
		[service().decide(id, { ...remembered, updatedInput: {} }, operator), 'request/invalid'],
		[service().decide(id, { ...remembered, suggestions: [0] }, operator), 'request/invalid'],
		[service().decide('no-such-approval', remembered, operator), 'approval/not-found'],
	];
	for (const [attempt, code] of refused) await expect(attempt).rejects.toMatchObject({ code });
	expect(rig.service.get(id)?.state).toBe('waiting');
	expect(await service('viewer').decide(id, { decision: 'deny' }, operator)).toMatchObject({ state: 'denied' });
	expect(await answer).toBe('deny');
	expect(rig.grants.list('active', 9)).toEqual([]);
});

test('an approval whose grant could not be written reports it: the call has run, and later calls are asked about', async () => {
	const { id, answer } = await waiting();
	const unwritten = () => Promise.reject(new Error('The disk is full.'));
	await expect(service('operator', unwritten).decide(id, remembered, operator)).rejects.toMatchObject({
		code: 'grant/forgotten',
	});
	expect(await answer).toBe('allow');
	expect(rig.grants.list('active', 9)).toEqual([]);
});
