import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sealPayload } from '../../timeline/store/journal-chain.ts';
import { queryBy } from '../database/database.ts';
import { createPeopleStore } from '../people/people-store.ts';
import { addEdge, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { createEdgeJournalStore } from '../timelines/edge-journal-store.ts';
import { createGrantStore } from './grant-store.ts';
import { createRevoker } from './hub-grants.ts';

const origin = 'https://hub.example';
const NOW = Date.parse('2026-11-23T09:00:00Z');
const eve = { iss: 'https://idp.example', sub: 'eve' };
const byEve = { role: 'operator', via: 'hub', name: 'Eve', hub: { origin, ...eve, level: 'hub', command: 1 } };

describe.runIf(postgresPrograms !== undefined)('what a hub looks through of grants', () => {
	const newDatabase = sharedDatabases();
	let seen: ReturnType<typeof openStore>;
	let rows = 0;
	beforeEach(async () => {
		seen = openStore(await newDatabase());
	});
	afterEach(() => seen.store.close());

	/** The machine pushes these rows. */
	async function tells(edge: number, added: { kind: string; subject: string; payload: Record<string, unknown> }[]) {
		const ts = new Date(NOW - 60_000).toISOString();
		const values = added.map(({ payload }) => JSON.stringify(sealPayload(payload)));
		const first = rows;
		rows += added.length;
		await seen.database.query(
			`INSERT INTO edge_journal (edge, n, id, ts, kind, subject, session_id, payload, payload_hash, signer, prev, hash)
			SELECT $1, $2 + nth, 'r' || ($2 + nth), $3, kind, subject, 's1', payload, '', '', '', 'h' || ($2 + nth)
			FROM unnest($4::text[], $5::text[], $6::text[]) WITH ORDINALITY u (kind, subject, payload, nth)`,
			[edge, first, ts, added.map(({ kind }) => kind), added.map(({ subject }) => subject), values],
		);
	}
	const made = (grantId: string, by: object = byEve, scope = 'session') => ({
		...{ kind: 'grant:create', subject: grantId },
		payload: {
			...{ grantId, scope, by, reason: 'r', tool: 'Bash', title: 't' },
			covers: [{ gate: 'routing', rule: 'x', fingerprint: 'f', words: 'w' }],
			expires: new Date(NOW + 3_600_000).toISOString(),
		},
	});
	const many = (count: number, name: string, by?: object) =>
		Array.from({ length: count }, (_, n) => made(`${name}-${n}`, by));

	/** Looks once at these machines; gives what they are to take back, and how often the database was asked. */
	async function revokeOnce(edges: readonly number[]) {
		const ended: string[] = [];
		let queries = 0;
		const query = queryBy(async (text, values) => {
			queries += 1;
			return { rows: await seen.database.query(text, values) };
		});
		await createRevoker({
			...{ query, origin, edges: () => edges },
			grantStore: createGrantStore(query, createEdgeJournalStore(query).histories, () => NOW),
			revoke: async ({ edge, record }) => ended.push(`${edge} ${record.id}`),
		})();
		return { ended, asked: queries };
	}

	test('however many grants one machine reports, those at others are examined, and none of a machine’s own', async () => {
		const [hostile, honest] = [await addEdge(seen.database), await addEdge(seen.database)];
		await tells(hostile.edge, many(3000, 'forged-grant'));
		await tells(honest.edge, [made('hers-grant'), ...many(20, 'own-grant', { role: 'operator', via: 'browser' })]);
		const { ended } = await revokeOnce([hostile.edge, honest.edge]);
		expect(ended.filter((one) => one.startsWith(`${honest.edge} `))).toEqual([`${honest.edge} hers-grant`]);
		expect(ended).toHaveLength(501);
	});

	test('a grant is found by its id and its session, also if another machine reports the same id', async () => {
		const [hostile, honest] = [await addEdge(seen.database), await addEdge(seen.database)];
		await tells(honest.edge, [made('hers-grant')]);
		const { query } = seen.database;
		const store = createGrantStore(query, createEdgeJournalStore(query).histories, () => NOW);
		const hers = await store.find('hers-grant');
		await tells(hostile.edge, [made('hers-grant')]);
		expect(await store.find('hers-grant')).toBeUndefined();
		expect(await store.find('hers-grant', hers?.record.sessionId)).toMatchObject({ edge: honest.edge });
		expect(await store.find('hers-grant', 'none')).toBeUndefined();
	});

	test('a grant that could not be revoked because the database failed is revoked at the next check, and once', async () => {
		const { edge } = await addEdge(seen.database);
		await tells(edge, [made('hers-grant')]);
		const { query } = seen.database;
		const tries: string[] = [];
		const lookAgain = createRevoker({
			...{ query, origin, edges: () => [edge] },
			grantStore: createGrantStore(query, createEdgeJournalStore(query).histories, () => NOW),
			async revoke({ record }) {
				tries.push(record.id);
				if (tries.length === 1) throw new Error('the database is away');
				return 1;
			},
		});
		await expect(lookAgain()).rejects.toThrow('the database is away');
		for (const _ of [1, 2]) await lookAgain();
		expect(tries).toEqual(['hers-grant', 'hers-grant']);
	});

	test('a person’s rights are read once for all of their grants; grants that are used up, over or of another hub are not revoked', async () => {
		const { edge } = await addEdge(seen.database);
		const people = createPeopleStore(seen.database.query);
		const { id } = await people.know({ ...eve, name: 'Eve', email: null });
		await people.give(id, { role: 'operator' });
		const elsewhere = { ...byEve, hub: { ...byEve.hub, origin: 'https://other.example' } };
		await tells(edge, [...many(50, 'hers-grant'), made('of-other', elsewhere)]);
		await tells(edge, [made('for-once', byEve, 'once'), { kind: 'grant:use', subject: 'for-once', payload: {} }]);
		await tells(edge, [
			made('over-now'),
			{ kind: 'grant:revoke', subject: 'over-now', payload: { grantId: 'over-now' } },
		]);
		expect(await revokeOnce([edge])).toEqual({ ended: [], asked: 2 });
		await people.removeRole(id, { role: 'operator' });
		const { ended } = await revokeOnce([edge]);
		expect(ended.sort()).toEqual(
			many(50, 'hers-grant')
				.map(({ subject }) => `${edge} ${subject}`)
				.sort(),
		);
	});
});
