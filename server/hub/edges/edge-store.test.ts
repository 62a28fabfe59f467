import { expect, test } from 'vitest';
import { queryBy } from '../database/database.ts';
import { openTogether } from '../timelines/postgres-store.ts';
import { createEdgeStore } from './edge-store.ts';

test('the lookups of a thousand connections in one turn are a few queries', async () => {
	const queried: number[] = [];
	const query = queryBy(async (_text, [ids = []]) => {
		const edges = ids as readonly number[];
		queried.push(edges.length);
		// In any order, and without one that is gone.
		const found = edges.filter((id) => id !== 7).map((id) => ({ id, status: 'joined', conn_epoch: id === 8 ? 2 : 1 }));
		return { rows: found.reverse() };
	});
	const store = createEdgeStore(query);
	const statuses = await Promise.all(Array.from({ length: 1200 }, (_, id) => store.currentState(id, 1)));
	expect(queried).toEqual([500, 500, 200]);
	expect(statuses.map((status, id) => [id, status]).filter(([, status]) => status !== 'joined')).toEqual([
		[7, 'revoked'],
		[8, 'replaced'],
	]);
	expect(await store.currentState(9, 1)).toBe('joined');
	expect(queried).toHaveLength(4);
});

test('the positions of sessions are queried for all connections together, and not cached', async () => {
	const queried: number[] = [];
	const open = openTogether({
		async open(names) {
			queried.push(names.length);
			return names.map(({ edge }) => ({ offset: edge * 10 + queried.length }) as never);
		},
	});
	const names = [1, 2, 3].map((edge) => ({ edge, sessionId: 's' }));
	expect((await Promise.all(names.map(open))).map(({ offset }) => offset)).toEqual([11, 21, 31]);
	expect((await Promise.all(names.map(open))).map(({ offset }) => offset)).toEqual([12, 22, 32]);
	expect(queried).toEqual([3, 3]);
});
