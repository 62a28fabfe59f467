import { beforeEach, describe, expect, test } from 'vitest';
import { asLine, samplePrompt } from '../../testing/timeline-rig.ts';
import type { HubSession } from '../../timeline/store/hub-store.ts';
import { queryBy } from '../database/database.ts';
import { addEdge, nextRange, noJournal, openStore, storyOf } from '../testing/hub-rig.ts';
import { postgresPrograms } from '../testing/postgres-cluster.ts';
import { sharedDatabases } from '../testing/shared-databases.ts';
import { FOLD } from './load-session.ts';
import type { HubStore } from './postgres-store.ts';
import { createPostgresStore } from './postgres-store.ts';
import { RangeFold } from './range-fold.ts';

const birth = '2026-01-01T00:00:00.000Z';
/** Looked at then, so that the samples are of today. */
const NOON = Date.UTC(2026, 0, 1, 12);

describe.runIf(postgresPrograms !== undefined)('the store of a hub', () => {
	const newDatabase = sharedDatabases();
	let hub: ReturnType<typeof openStore>;
	let store: HubStore;
	let mine: { edge: number; team: number };
	let others: { edge: number; team: number };
	beforeEach(async () => {
		hub = openStore(await newDatabase());
		({ store } = hub);
		mine = await addEdge(hub.database, 'mine');
		others = await addEdge(hub.database, 'others');
		return () => store.close();
	});

	const foldOver = (over: HubStore) => new RangeFold({ store: over, journalRows: noJournal, now: () => NOON });
	async function opened(edge: number, sessionId: string): Promise<HubSession> {
		const [session] = await store.open([{ edge, sessionId }]);
		if (!session) throw new Error('no session');
		return session;
	}
	async function pushLines(edge: number, sessionId: string, lines: readonly object[], over = store) {
		const { key, offset } = await opened(edge, sessionId);
		const bytes = Buffer.from(lines.map(asLine).join(''));
		const job = { key, from: offset, to: offset + bytes.length, bytes, tailDigest: '', birth };
		return (await foldOver(over).foldRanges([job]))[0];
	}
	const page = { now: NOON, limit: 10 };

	test('R1734 what belongs to a team is for those of that team alone, by every question', async () => {
		const denial = {
			type: 'gate:verdict',
			toolUseId: 'c1',
			gate: 'g',
			decision: 'deny',
			rule: 'r',
			reason: 'no',
			facts: {},
		};
		const called = { type: 'tool:call', toolUseId: 'c1', tool: 'Bash', input: {} };
		for (const { edge } of [mine, others]) {
			const lines = [
				samplePrompt('s1', 1, { cwd: '/srv/shop', project: 'shop' }),
				samplePrompt('s1', 2, called),
				samplePrompt('s1', 3, { ...denial, form: 'deny' }),
			];
			await pushLines(edge, 's1', lines);
		}
		const name = `${mine.edge}/s1`;
		const own = store.reads({ teams: [mine.team] });
		expect((await own.events(name, { after: 0, limit: 9 })).map(({ sessionId, seq }) => [sessionId, seq])).toEqual([
			[name, 1],
			[name, 2],
			[name, 3],
		]);
		expect((await own.denials(9)).map(({ sessionId }) => sessionId)).toEqual([name]);
		expect((await own.ledger({ limit: 9 })).map(({ line }) => line.sessionId)).toEqual([name]);
		expect((await store.summaries({ teams: [mine.team] }, page)).sessions.map(({ sessionId }) => sessionId)).toEqual([
			name,
		]);
		const key = (await own.rows(name, { limit: 9 }))[0]?.key ?? '';
		expect(await own.row(name, key)).toBeDefined();
		const inShop = { teams: [others.team], projects: [{ team: mine.team, project: 'shop' }] };
		expect(await store.reads(inShop).row(name, key)).toBeDefined();

		const elsewhere = [
			{ team: mine.team, project: '/elsewhere' },
			{ team: others.team, project: 'shop' },
		];
		for (const scope of [{ teams: [others.team] }, { teams: [] }, { teams: [], projects: elsewhere }]) {
			const foreign = store.reads(scope);
			expect(await foreign.headOf(name)).toBeUndefined();
			expect(await foreign.snapshot(name, 9)).toBeUndefined();
			expect(await foreign.view(name)).toBeUndefined();
			expect(await foreign.row(name, key)).toBeUndefined();
			expect(await foreign.rows(name, { limit: 9 })).toEqual([]);
			expect(await foreign.events(name, { after: 0, limit: 9 })).toEqual([]);
			expect(
				await foreign.eventsSince(name, { epoch: (await own.headOf(name))?.epoch ?? '', after: 0, limit: 9 }),
			).toBeNull();
			expect(await foreign.timesOf(name, [1])).toEqual([undefined]);
			expect(await foreign.knownIds(name, ['e1'])).toEqual(new Set());
			expect((await foreign.denials(9)).filter(({ sessionId }) => sessionId === name)).toEqual([]);
			expect((await foreign.ledger({ limit: 9 })).filter(({ line }) => line.sessionId === name)).toEqual([]);
			const list = await store.summaries(scope, page);
			expect(list.sessions.filter(({ sessionId }) => sessionId === name)).toEqual([]);
			expect((await store.summaries(scope, { ...page, ids: [name] })).sessions).toEqual([]);
		}
		for (const odd of ['s1', `${mine.edge}/../s1`, '/s1', `${mine.edge}/`, "1/s1' or '1'='1"])
			expect(await own.view(odd)).toBeUndefined();
	});

	test('a snapshot is of one moment, and reading on by seq notices another file', async () => {
		const { edge, team } = mine;
		await pushLines(edge, 's1', [samplePrompt('s1', 1), samplePrompt('s1', 2)]);
		const reads = store.reads({ teams: [team] });
		const shot = await reads.snapshot(`${edge}/s1`, 10);
		expect([shot?.view.seq, shot?.rows.length, shot?.view.sessionId]).toEqual([2, 2, `${edge}/s1`]);
		const from = { epoch: shot?.epoch ?? '', after: 2, limit: 10 };
		await pushLines(edge, 's1', [samplePrompt('s1', 3)]);
		expect((await reads.eventsSince(`${edge}/s1`, from))?.map(({ id }) => id)).toEqual(['e3']);
		const before = await opened(edge, 's1');
		const [again, twin] = await Promise.all([store.replace(before), store.replace(before)]);
		expect(again).toEqual(twin);
		expect(again).toMatchObject({ gen: 1, offset: 0, seq: 0 });
		expect(await reads.eventsSince(`${edge}/s1`, from)).toBeNull();
		await pushLines(edge, 's1', [samplePrompt('s1', 7)]);
		expect((await reads.events(`${edge}/s1`, { after: 0, limit: 9 })).map(({ id, seq }) => [id, seq])).toEqual([
			['e7', 1],
		]);
		expect((await store.load(before.key))?.events.map(({ id }) => id)).toEqual(['e1', 'e2', 'e3']);
	});

	test('R1736 what the database refuses is a gap of its session that everybody sees, and all others go on', async () => {
		const spoilt: HubStore = {
			...store,
			append: (ranges) =>
				store.append(
					ranges.map((range) => {
						const isPoison = range.events.some(({ event }) => event.id === 'poison');
						return isPoison ? { ...range, events: range.events.map((one) => ({ ...one, rowKey: 'a\0b' })) } : range;
					}),
				),
		};
		const fold = foldOver(spoilt);
		const ids = ['s1', 's2', 's3', 's4', 's5'];
		const sessions = await store.open(ids.map((sessionId) => ({ edge: mine.edge, sessionId })));
		const jobs = sessions.map(({ key, sessionId }) => {
			const lines = [
				samplePrompt(sessionId, 1),
				samplePrompt(sessionId, 2, sessionId === 's3' ? { id: 'poison' } : {}),
			];
			const bytes = Buffer.from(lines.map(asLine).join(''));
			return { key, from: 0, to: bytes.length, bytes, tailDigest: '', birth };
		});
		expect((await fold.foldRanges(jobs)).map(({ kind }) => kind)).toEqual(ids.map(() => 'committed'));
		const reads = store.reads({ teams: [mine.team] });
		const eventsOf = (sessionId: string) => reads.events(`${mine.edge}/${sessionId}`, { after: 0, limit: 9 });
		expect((await eventsOf('s4')).map(({ id }) => id)).toEqual(['e1', 'e2']);
		const end = jobs[2]?.to ?? 0;
		expect(await eventsOf('s3')).toMatchObject([{ type: 'system:gap', offset: 0, bytes: end }]);
		expect(await opened(mine.edge, 's3')).toMatchObject({ offset: end, seq: 1 });
		await pushLines(mine.edge, 's3', [samplePrompt('s3', 3)]);
		expect((await eventsOf('s3')).map(({ type }) => type)).toEqual(['system:gap', 'prompt:submit']);
	});

	test('a session that an older fold has written is folded again when it is continued, and an older fold writes nothing', async () => {
		const { edge, team } = mine;
		const { key } = await opened(edge, 's1');
		const bytes = storyOf('s1', 30);
		await foldOver(store).foldRanges([nextRange(key, bytes, 0, bytes.length)]);
		const reads = store.reads({ teams: [team] });
		const rows = await reads.rows(`${edge}/s1`, { limit: 99 });
		const view = await reads.view(`${edge}/s1`);
		await hub.database.query("UPDATE rows SET json = '{}'");
		await hub.database.query("UPDATE views SET json = '{}'");
		await hub.database.query('UPDATE sessions SET fold = $1', [FOLD - 1]);
		expect((await store.load(key))?.view).toMatchObject({ seq: 60 });
		expect(await reads.rows(`${edge}/s1`, { limit: 99 })).toEqual(rows);
		expect(await reads.view(`${edge}/s1`)).toEqual(view);

		await hub.database.query('UPDATE sessions SET fold = $1', [FOLD + 1]);
		expect(await pushLines(edge, 's1', [samplePrompt('s1', 1)])).toMatchObject({
			kind: 'elsewhere',
			session: { fold: FOLD + 1 },
		});
	});

	test('the list has the status of each session at once, page by page, and counts under the headings', async () => {
		const { edge, team } = mine;
		for (let n = 0; n < 7; n += 1) await pushLines(edge, `s${n}`, [samplePrompt(`s${n}`, n)]);
		await pushLines(edge, 's2', [samplePrompt('s2', 20, { type: 'session:end', reason: 'exit' })]);
		await pushLines(edge, '_home', [samplePrompt('_home', 21)]);
		const seen: string[] = [];
		let before: string | undefined;
		do {
			const found = await store.summaries({ teams: [team] }, { now: NOON, limit: 3, before });
			seen.push(...found.sessions.map(({ sessionId }) => sessionId.split('/')[1] ?? ''));
			before = found.next ?? undefined;
			expect(found.counts).toEqual({ all: 7, alarmed: 0, groups: { Running: 6, Idle: 0, 'Ended today': 1, Older: 0 } });
		} while (before !== undefined);
		expect(seen).toEqual(['s2', 's6', 's5', 's4', 's3', 's1', 's0']);
		const ended = await store.summaries({ teams: [team] }, { now: NOON, limit: 9, q: 'ENDED' });
		expect(ended.sessions.map(({ sessionId }) => sessionId)).toEqual([`${edge}/s2`]);
	});

	test('every question about a session looks into its own partition alone', async () => {
		const { query } = hub.database;
		for (const day of [10, 11, 12]) await query('SELECT make_partitions($1)', [day]);
		await pushLines(mine.edge, 's1', [samplePrompt('s1', 1)]);
		const queries: { text: string; values: readonly unknown[] }[] = [];
		const spy = queryBy(async (text, values) => {
			queries.push({ text, values });
			return { rows: await query(text, values) };
		});
		const spied = createPostgresStore(
			{ ...hub.database, query: spy, atOnce: (work) => work(spy) },
			{ now: () => NOON, failed: () => undefined },
		);
		const reads = spied.reads({ teams: [mine.team] });
		const name = `${mine.edge}/s1`;
		await reads.snapshot(name, 9);
		await reads.events(name, { after: 0, limit: 9 });
		await reads.events(name, { after: 0, limit: 9, row: 'x' });
		await reads.row(name, 'x');
		await reads.timesOf(name, [1]);
		await reads.knownIds(name, ['e1']);
		const parted = queries.filter(({ text }) => /FROM (?:events|rows|views)\b/.test(text));
		expect(parted.length).toBeGreaterThan(7);
		for (const { text, values } of parted) {
			const plan = await query<{ 'QUERY PLAN': string }>(`EXPLAIN ${text}`, values);
			const scanned = plan
				.map((line) => line['QUERY PLAN'])
				.join('\n')
				.match(/(?:events|rows|views)_\d+(?= )/g);
			expect(new Set(scanned).size, text).toBe(1);
		}
	});
});
