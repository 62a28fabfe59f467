import { afterEach, expect, test } from 'vitest';
import { AppError } from '#lib/contract/errors.ts';
import { type Gate, openGate } from '../../testing/gate-fixture.ts';

let gate: Gate | undefined;
afterEach(() => gate?.close());

test('runs are compared for viewers; what is not recorded is named', async () => {
	const compared: string[][] = [];
	gate = await openGate({
		comparisons: {
			compare: async (...names) => {
				compared.push(names);
				throw new AppError('session/not-found', 'Nothing recorded here is called "x".');
			},
		},
	});
	const { request, tokens } = gate;
	const get = (path: string, token: string) => request('GET', path, { authorization: `Bearer ${token}` });
	const missing = await get('/api/compare?a=x&b=previous', tokens.viewer);
	expect([missing.status, JSON.parse(missing.text).error.message]).toEqual([
		404,
		'Nothing recorded here is called "x".',
	]);
	expect(compared).toEqual([['x', 'previous']]);
	expect((await get('/api/compare?a=x', tokens.viewer)).status).toBe(400);
	expect((await get(`/api/compare?a=x&b=${'y'.repeat(201)}`, tokens.viewer)).status).toBe(400);
	expect((await get('/api/compare?a=x&b=y', tokens.edge)).status).toBe(403);
	expect(compared).toHaveLength(1);
});
