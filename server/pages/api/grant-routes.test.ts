import { afterEach, expect, test } from 'vitest';
import type { ApprovalRecord } from '#lib/contract/approvals/approval-record.ts';
import type { GrantRecord } from '#lib/contract/approvals/grants.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

const opened: Gate[] = [];
afterEach(async () => {
	for (const gate of opened.splice(0)) await gate.close();
});

const at = '2026-05-01T12:00:00.000Z';
const facts = { project: '/shop', planId: 'route-77', actual: 'architect' };
const verdict = (toolUseId: string, sessionId = 's1', more: object = {}): IndexedEvent =>
	({
		...{
			id: `v-${sessionId}-${toolUseId}`,
			ts: at,
			seq: 1,
			sessionId,
			toolUseId,
			type: 'gate:verdict',
			category: 'gate',
		},
		...{ label: '', gate: 'routing-plan', rule: 'routing.agent-in-plan', decision: 'deny', reason: 'mismatch', facts },
		...more,
	}) as IndexedEvent;

const grant: GrantRecord = {
	...{ id: 'grant-0001', state: 'active', scope: 'once', sessionId: 's1', tool: 'Task', title: 'Design it', uses: 0 },
	...{ covers: [], reason: 'needed', by: { role: 'operator', via: 'token' }, createdAt: at, expires: at },
};
const expired: ApprovalRecord = {
	...{ id: 'approval-1', state: 'expired', sessionId: 's1', tool: 'Task', title: 'Design it', input: {} },
	...{ denials: [{ gate: 'g', rule: 'r', reason: '', fingerprint: 'f', words: 'w' }], requestedAt: at, deadline: at },
};

async function open(denials: IndexedEvent[] = []) {
	const calls: unknown[] = [];
	const gate = await openGate({
		reads: {
			events: async (sessionId, { row }) =>
				denials.filter((d) => d.sessionId === sessionId && row === `call:${d.toolUseId}`),
			denials: async () => denials,
		},
		service: {
			list: () => [],
			similar: () => [],
			get: (id) =>
				[expired, { ...expired, id: 'approval-2', state: 'waiting' as const }].find((a) => a.id === id) ?? null,
			decide: () => Promise.reject(new Error('decided')),
		},
		grants: {
			list: (...given) => {
				calls.push(given);
				return [grant];
			},
			create: async (...given) => {
				calls.push(given);
				return grant;
			},
			revoke: async (...given) => {
				calls.push(given);
				return { ...grant, state: 'revoked' };
			},
		},
	});
	opened.push(gate);
	const json = { 'content-type': 'application/json' };
	const send = async (method: string, path: string, token: string, body?: unknown, headers: object = {}) => {
		const auth = { authorization: `Bearer ${token}` };
		const text = body === undefined ? undefined : JSON.stringify(body);
		const answer = await gate.request(method, path, { ...auth, ...json, ...headers }, text);
		return { status: answer.status, body: JSON.parse(answer.text) };
	};
	return { gate, asked: calls, send };
}

test('viewers read grants and previews; only an operator creates and revokes, with a reason', async () => {
	const { gate, asked, send } = await open([verdict('t1')]);
	const { viewer, operator, edge } = gate.tokens;
	const body = { sessionId: 's1', toolUseId: 't1', scope: 'session', reason: 'needed' };
	expect((await send('GET', '/api/grants?state=active', viewer)).body).toEqual({ grants: [grant] });
	expect(asked.pop()).toEqual(['active', 100]);
	for (const token of [viewer, edge]) {
		expect((await send('POST', '/api/grants', token, body)).status).toBe(403);
		expect((await send('POST', '/api/grants/grant-0001/revoke', token, {})).status).toBe(403);
	}
	expect(asked).toEqual([]);
	expect((await send('POST', '/api/grants', operator, body)).body).toEqual({ grant });
	const words = 'agent architect while plan route-77 of project /shop is active';
	expect(asked.pop()).toEqual([
		{
			call: { sessionId: 's1', toolUseId: 't1' },
			...{ tool: '', title: 'mismatch' },
			covers: [expect.objectContaining({ gate: 'routing-plan', rule: 'routing.agent-in-plan', words })],
		},
		{ scope: 'session', reason: 'needed' },
		{ role: 'operator', via: 'token', access: expect.any(String) },
	]);
	const revoked = await send('POST', '/api/grants/grant-0001/revoke', operator, { reason: 'done' });
	expect(revoked.body.grant.state).toBe('revoked');
	expect(asked.pop()).toEqual([
		'grant-0001',
		{ reason: 'done' },
		{ role: 'operator', via: 'token', access: expect.any(String) },
	]);
});

test('a cookie makes a grant only with its header token', async () => {
	const { gate, asked } = await open([verdict('t1')]);
	const { cookie, sessionToken } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const headers = { cookie, origin, 'content-type': 'application/json' };
	const body = JSON.stringify({ sessionId: 's1', toolUseId: 't1', scope: 'once', reason: 'needed' });
	expect((await gate.request('POST', '/api/grants', headers, body)).status).toBe(401);
	expect(asked).toEqual([]);
	const signed = { ...headers, 'x-signalbox-session': sessionToken };
	expect((await gate.request('POST', '/api/grants', signed, body)).status).toBe(200);
});

test('what cannot be granted is refused with what to do', async () => {
	const { gate, send, asked } = await open([verdict('t1'), verdict('t2', 's1', { gate: 'loop' })]);
	const createGrant = async (more: object) => {
		const { status, body } = await send('POST', '/api/grants', gate.tokens.operator, {
			...{ scope: 'once', reason: 'needed' },
			...more,
		});
		return [status, body.error?.code ?? body.error];
	};
	const invalid = [400, 'request/invalid'];
	expect(await createGrant({ sessionId: 's1', toolUseId: 't1', reason: '  ' })).toEqual(invalid);
	expect(await createGrant({ sessionId: 's1', toolUseId: 't1', expiresInSeconds: 31 * 24 * 3600 })).toEqual(invalid);
	expect(await createGrant({ sessionId: 's1', toolUseId: 't1', scope: 'always' })).toEqual(invalid);
	expect(await createGrant({})).toEqual(invalid);
	expect(await createGrant({ approvalId: 'approval-1', sessionId: 's1', toolUseId: 't1' })).toEqual(invalid);
	expect(await createGrant({ sessionId: 's1', toolUseId: 't9' })).toEqual([404, 'grant/no-denial']);
	expect(await createGrant({ sessionId: 's1', toolUseId: 't2' })).toEqual([409, 'grant/not-possible']);
	expect(await createGrant({ approvalId: 'approval-2' })).toEqual([409, 'grant/waiting']);
	expect(await createGrant({ approvalId: 'approval-9' })).toEqual([404, 'approval/not-found']);
	expect(asked).toEqual([]);
	expect((await createGrant({ approvalId: 'approval-1' }))[0]).toBe(200);
});

test('R608 the preview describes in words what would run, and every recorded call that would have run', async () => {
	const stage = { gate: 'stage-guard', rule: 'stage.skips-required' };
	const denials = [
		verdict('t1'),
		verdict('t2'),
		verdict('t2', 's1', { ...stage, id: 'other' }),
		verdict('t3', 's2'),
		verdict('t4', 's2', { facts: { ...facts, planId: 'route-78' } }),
		verdict('t5', 's3', { facts: { ...facts, project: '/other' } }),
	];
	const { gate, send } = await open(denials);
	const preview = async (scope: string) => {
		const path = `/api/grants/preview?sessionId=s1&toolUseId=t1&scope=${scope}`;
		return (await send('GET', path, gate.tokens.viewer)).body.preview;
	};
	expect(await preview('project')).toMatchObject({
		words: ['agent architect while plan route-77 of project /shop is active'],
		count: 2,
		more: false,
		calls: [
			{ sessionId: 's1', toolUseId: 't1', reason: 'mismatch' },
			{ sessionId: 's2', toolUseId: 't3' },
		],
	});
	expect(await preview('session')).toMatchObject({ count: 1, calls: [{ toolUseId: 't1' }] });
	expect((await send('GET', '/api/grants/preview?scope=once', gate.tokens.viewer)).status).toBe(400);
});
