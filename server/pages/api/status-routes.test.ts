import { expect, test } from 'vitest';
import { ServerStatus } from '#lib/contract/health/status.ts';
import { openGate } from '../../testing/gate-fixture.ts';

test('a reader sees the state of the server; a recorder does not', async () => {
	const gate = await openGate();
	try {
		const ask = (role: 'viewer' | 'edge') =>
			gate.request('GET', '/api/status', { authorization: `Bearer ${gate.tokens[role]}` });
		const status = ServerStatus.parse(JSON.parse((await ask('viewer')).text));
		expect(status).toMatchObject({ door: true, sessions: 1, waiting: 0, channels: [] });
		expect((await ask('edge')).status).toBe(403);
		expect((await gate.request('GET', '/api/status')).status).toBe(401);
	} finally {
		await gate.close();
	}
});
