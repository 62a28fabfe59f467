import { describe, expect, test } from 'vitest';
import { addEdge, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createTicketStore } from './ticket-store.ts';

const NOW = Date.parse('2026-11-23T09:00:00Z');

describe.runIf(postgresPrograms !== undefined)('what waits at machines', () => {
	const newDatabase = sharedDatabases();

	test('no machine hides what waits at others by the number or length of its calls, or by its clock', async () => {
		const { database, store } = openStore(await newDatabase());
		const [hostile, honest] = [await addEdge(database), await addEdge(database)];
		let requestTimes = new Map<string, string>();
		const ticketStore = createTicketStore(
			database.query,
			async (_edge, ids) =>
				new Map(
					ids.map((id) => {
						const input = { command: 'x'.repeat(id.startsWith('long') ? 400_000 : 10) };
						const request = { tool: 'Bash', inputDigest: 'd', denials: [], deadline: new Date(NOW).toISOString() };
						const payload = { ...request, approvalId: id, input };
						const row = { kind: 'approval:request', ts: requestTimes.get(id), sessionId: 's1', payload };
						return [id, [row]] as never;
					}),
				),
			() => NOW,
		);
		async function tells(edge: number, name: string, count: number, minutes: number) {
			const ids = Array.from({ length: count }, (_, n) => `${name}-call-${n}`);
			requestTimes = new Map(ids.map((id) => [id, new Date(Date.now() + minutes * 60_000).toISOString()]));
			await ticketStore.recordOpen(edge, ids.map((id) => ({ id, digest: 'd', nonce: id, leftMs: 60_000 })) as never);
		}
		await tells(honest.edge, 'hers', 3, -2);
		await tells(hostile.edge, 'long', 60, 60);
		const found = (await ticketStore.list(null, 'waiting', 500)).map(({ edge }) => edge);
		expect(found.slice(0, 5)).toEqual([hostile.edge, hostile.edge, honest.edge, honest.edge, honest.edge]);
		expect(found.length, 'bounded in bytes').toBeLessThan(45);
		await tells(hostile.edge, 'many', 200, 60);
		const places = (await ticketStore.list(null, 'waiting', 100)).flatMap(({ edge }, index) =>
			edge === honest.edge ? [index] : [],
		);
		expect(places).toEqual([20, 21, 22]);
		const [times] = await database.query<{ late: number }>(
			'SELECT count(*) AS late FROM tickets WHERE asked_at > now()',
		);
		expect(times?.late).toBe(0);
		await store.close();
	});
});
