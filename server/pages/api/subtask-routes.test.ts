import { afterEach, expect, test } from 'vitest';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

const opened: Gate[] = [];
afterEach(async () => {
	for (const gate of opened.splice(0)) await gate.close();
});

test('only an operator makes subtasks, by token or by cookie with its header token', async () => {
	const calls: unknown[] = [];
	const gate = await openGate({
		subtasks: {
			async create(...given) {
				calls.push(given);
				return { feature: 'user-login', added: ['a'] };
			},
		},
	});
	opened.push(gate);
	const { cookie, signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const act = (headers: Record<string, string>, body = '{"assessmentId":"e1"}', id = 's1') =>
		gate.request('POST', `/api/sessions/${id}/subtasks`, { 'content-type': 'application/json', ...headers }, body);
	const bearer = (role: 'viewer' | 'operator' | 'edge') => ({ authorization: `Bearer ${gate.tokens[role]}` });
	for (const headers of [bearer('viewer'), bearer('edge')]) expect((await act(headers)).status).toBe(403);
	expect((await act({ origin, cookie })).status).toBe(401);
	for (const body of ['{}', '{"assessmentId":""}', '{"assessmentId":"e1","subtasks":["x"]}']) {
		expect((await act(bearer('operator'), body)).status).toBe(400);
	}
	expect((await act(bearer('operator'), undefined, 's.1')).status).toBe(404);
	expect(calls).toEqual([]);
	const done = await act({ origin, ...signedIn });
	expect([done.status, JSON.parse(done.text)]).toEqual([200, { created: { feature: 'user-login', added: ['a'] } }]);
	expect(calls).toEqual([['s1', 'e1', { role: 'operator', via: 'browser', access: expect.any(String) }]]);
});
