import { describe, expect, test } from 'vitest';
import { describeSearch, type SearchedStore } from '../../testing/index-finds.contract.ts';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import { addEdge, noJournal, openStore } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { RangeFold } from './range-fold.ts';

const birth = '2026-01-01T00:00:00.000Z';

describe.runIf(postgresPrograms !== undefined)('searching at a hub', () => {
	const newDatabase = sharedDatabases();

	/** `scoped` is what its reader may see. */
	function searchedHub(url: string, edge: number, scoped: 'all' | number[] = 'all') {
		const { database, store } = openStore(url);
		const fold = new RangeFold({ store, journalRows: noJournal, now: Date.now });
		async function opened(sessionId: string) {
			const [session] = await store.open([{ edge, sessionId }]);
			if (!session) throw new Error('no session');
			return session;
		}
		const searched: SearchedStore = {
			async say(sessionId, texts) {
				const lines = texts.map((prompt, index) =>
					samplePrompt(sessionId, index + 1, { prompt, id: `${sessionId}-${index + 1}` }),
				);
				const { key, offset } = await opened(sessionId);
				const bytes = Buffer.from(lines.map(asLine).join(''));
				await fold.foldRanges([{ key, from: offset, to: offset + bytes.length, bytes, tailDigest: '', birth }]);
			},
			find: store.reads({ teams: scoped }).find,
			async reopen() {
				await store.close();
				return searchedHub(url, edge, scoped).searched;
			},
			forget: async (sessionId) => void (await store.replace(await opened(sessionId))),
			close: () => store.close(),
		};
		return { database, searched };
	}

	async function newHub() {
		const url = await newDatabase();
		const { database, store } = openStore(url);
		const machines = [await addEdge(database, 'mine'), await addEdge(database, 'others')] as const;
		await store.close();
		return { url, machines };
	}

	describeSearch('Postgres', async () => {
		const { url, machines } = await newHub();
		return searchedHub(url, machines[0].edge).searched;
	});

	test('texts of others are found only by people who may read them, and sessions are named as at the hub', async () => {
		const { url, machines } = await newHub();
		const [mine, others] = machines.map(({ edge, team }) => searchedHub(url, edge, [team]).searched);
		await mine?.say('s1', ['the cart']);
		await others?.say('s1', ['a cart']);
		const found: string[] = [];
		await mine?.find(['cart'], undefined, ({ event }) => found.push(event.sessionId) === 0);
		expect(found).toEqual([`${machines[0].edge}/s1`]);
		for (const store of [mine, others]) await store?.close();
	});

	test('a search continues over many and long sessions, and finds each match once', async () => {
		const { url, machines } = await newHub();
		const { searched } = searchedHub(url, machines[0].edge);
		await searched.say('long', ['first cart', ...Array.from({ length: 450 }, (_, n) => `cart ${n}`)]);
		for (let n = 0; n < 3; n += 1) await searched.say(`short-${n}`, ['last cart', 'nothing']);
		const seen: string[] = [];
		let rounds = 0;
		for (let from: number | null | undefined; from !== null; rounds += 1)
			from = await searched.find(['cart'], from, ({ event }) => seen.push(event.id) === 0);
		expect(rounds).toBe(3);
		expect(seen.slice(0, 4)).toEqual(['short-2-1', 'short-1-1', 'short-0-1', 'long-451']);
		expect([new Set(seen).size, seen.length, seen.at(-1)]).toEqual([454, 454, 'long-1']);
		await searched.close();
	});
});
