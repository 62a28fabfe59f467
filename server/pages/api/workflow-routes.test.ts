import { afterEach, expect, test } from 'vitest';
import { AppError } from '#lib/contract/errors.ts';
import type { WorkflowControl } from '../../approvals/workflow/workflow-control.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

const opened: Gate[] = [];
afterEach(async () => {
	for (const gate of opened.splice(0)) await gate.close();
});

async function open() {
	const calls: unknown[] = [];
	const workflows: WorkflowControl = {
		async act(...given) {
			calls.push(given);
			if (given[0] !== 's1') throw new AppError('session/not-found');
			return { type: 'quick', how: 'started' };
		},
	};
	const gate = await openGate({ workflows });
	opened.push(gate);
	return { gate, asked: calls };
}

test('only an operator acts on a workflow, by token or by cookie with its header token', async () => {
	const { gate, asked } = await open();
	const { cookie, signedIn } = await gate.logIn();
	const origin = `http://${gate.host}`;
	const act = (headers: Record<string, string>, body = '{"action":"pause"}', id = 's1') =>
		gate.request('POST', `/api/sessions/${id}/workflow`, { 'content-type': 'application/json', ...headers }, body);
	const bearer = (role: 'viewer' | 'operator' | 'edge') => ({ authorization: `Bearer ${gate.tokens[role]}` });
	expect((await act(bearer('viewer'))).status).toBe(403);
	expect((await act(bearer('edge'))).status).toBe(403);
	expect((await act({ origin, cookie })).status).toBe(401);
	for (const body of [
		'{}',
		'{"action":"delete"}',
		'{"action":"start"}',
		'{"action":"start","type":"nonsense"}',
		'{"action":"start","type":"quick","project":"/"}',
		'{"action":"pause","type":"quick"}',
		'{"action":"pause","action":"stop"}',
	]) {
		expect([body, (await act(bearer('operator'), body)).status]).toEqual([body, 400]);
	}
	expect(asked).toEqual([]);
	const done = await act({ origin, ...signedIn }, '{"action":"start","type":"quick"}');
	expect([done.status, JSON.parse(done.text)]).toEqual([200, { workflow: { type: 'quick', how: 'started' } }]);
	expect((await act(bearer('operator'), '{"action":"stop"}', 's2')).status).toBe(404);
	expect((await act(bearer('operator'), '{"action":"stop"}', 's.1')).status).toBe(404);
	expect(asked).toEqual([
		['s1', { action: 'start', type: 'quick' }, { role: 'operator', via: 'browser', access: expect.any(String) }],
		['s2', { action: 'stop' }, { role: 'operator', via: 'token', access: expect.any(String) }],
	]);
});
