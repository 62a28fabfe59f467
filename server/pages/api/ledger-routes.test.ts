import { expect, test } from 'vitest';
import { DecisionsAnswer, LedgerSummary } from '#lib/contract/archives/decisions.ts';
import type { ArchivedLine } from '../../archives/ledger/archived-ledger.ts';
import { openGateOf } from '../../testing/gate-of-timelines.ts';
import { samplePrompt } from '../../testing/timeline-rig.ts';

/** A call of a session that a rule denied, at minute `n`. */
function denied(sessionId: string, n: number, rule: string) {
	const ts = new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString();
	const common = { ts, sessionId, toolUseId: `call-${n}`, category: 'tool', label: 'x' };
	const verdict = { gate: 'commands', decision: 'deny', rule, reason: 'no', facts: {} };
	return [
		{ ...common, id: `${sessionId}-${n}`, type: 'tool:call', tool: 'Bash', input: { command: `rm ${n}` } },
		{ ...common, id: `${sessionId}-${n}-v`, type: 'gate:verdict', ...verdict },
		{ ...common, id: `${sessionId}-${n}-e`, type: 'session:notice', message: 'x', toolUseId: undefined },
	];
}

async function open(timelines: Readonly<Record<string, readonly object[]>>, archived: readonly ArchivedLine[] = []) {
	const ask = await openGateOf(timelines, { archived: { read: async () => ({ lines: archived, unread: 1 }) } });
	const get = (path: string, role: 'viewer' | 'edge' = 'viewer') => ask(`/api/decisions${path}`, role);
	return {
		get,
		list: async (query: string) => DecisionsAnswer.parse(JSON.parse((await get(query)).text)),
		sum: async (query: string) => LedgerSummary.parse(JSON.parse((await get(`/summary${query}`)).text)),
	};
}

test('the ledger of all sessions comes by pages, the newest first, and its sums agree with it', async () => {
	const { list, sum } = await open({
		s1: [samplePrompt('s1', 1, { project: 'shop' }), ...[1, 3, 5].flatMap((n) => denied('s1', n, 'a'))],
		s2: [2, 4].flatMap((n) => denied('s2', n, 'b')),
		_home: denied('_home', 6, 'a'),
	});
	const titles: string[] = [];
	let query = '?limit=2';
	for (;;) {
		const { decisions, next } = await list(query);
		titles.push(...decisions.map(({ title }) => title));
		if (next === null) break;
		query = `?limit=2&before=${next}`;
	}
	expect(titles).toEqual(['rm 5', 'rm 4', 'rm 3', 'rm 2', 'rm 1']);
	expect((await list('?rule=b')).decisions.map(({ sessionId }) => sessionId)).toEqual(['s2', 's2']);
	expect((await list('?project=shop&state=unasked,expired')).decisions).toHaveLength(3);
	expect((await list('?since=2026-01-01T12:02:00Z&until=2026-01-01T12:04:00Z')).decisions).toHaveLength(2);
	expect(await sum('?project=shop')).toMatchObject({ count: 3, rules: [{ name: 'a', count: 3 }] });
	expect(await sum('')).toMatchObject({ count: 5, days: [{ day: '2026-01-01' }] });
});

test('decisions are narrowed to those of one make, and counted by make', async () => {
	const { list, sum } = await open({
		s1: [samplePrompt('s1', 1, { make: 'codex' }), ...denied('s1', 1, 'a')],
		s2: [2, 4].flatMap((n) => denied('s2', n, 'b')),
	});
	expect((await list('?make=codex')).decisions).toMatchObject([{ sessionId: 's1', agent: 'codex' }]);
	expect((await list('?make=claude-code')).decisions).toHaveLength(2);
	expect((await sum('')).makes).toMatchObject([
		{ name: 'claude-code', count: 2 },
		{ name: 'codex', count: 1 },
	]);
});

test('a filter that does not fit is refused with its name, and who may only record reads nothing', async () => {
	const { get } = await open({});
	for (const query of ['?kind=x', '?state=waiting,x', '?since=yesterday', '?session=../x', '?limit=0', '?before=x']) {
		const { status, text } = await get(query);
		expect([query, status]).toEqual([query, 400]);
		expect(text).toContain(/\w+/u.exec(query)?.[0]);
	}
	expect((await get('', 'edge')).status).toBe(403);
	expect((await get('/summary', 'edge')).status).toBe(403);
});

/** A line of an archive, at minute `n`. */
const archivedAt = (n: number, position: number): ArchivedLine => ({
	place: `${Date.UTC(2026, 0, 1, 12, n)}-${4e15 + position}`,
	record: {
		...{
			agent: 'codex',
			sessionId: 'old',
			rowKey: `call:${position}`,
			seq: 1,
			at: new Date(Date.UTC(2026, 0, 1, 12, n)).toISOString(),
		},
		...{ tool: 'Bash', title: `old ${position}`, denials: [], state: 'unasked', outcome: 'never-ran', archive: 'a' },
		...{ isDenied: true, isOverridden: false, followed: { calls: [] } },
	},
});

test('lines of archives are listed among those of the index by time, page after page, none twice, and are counted', async () => {
	const { list, sum } = await open({ s1: [1, 3, 5].flatMap((n) => denied('s1', n, 'a')) }, [
		...[archivedAt(6, 1), archivedAt(3, 3), archivedAt(3, 2), archivedAt(0, 4)],
	]);
	for (const limit of [1, 2, 3]) {
		const titles: string[] = [];
		for (let query = ''; ; ) {
			const { decisions, next, unread } = await list(`?limit=${limit}${query}`);
			expect(unread).toBe(1);
			titles.push(...decisions.map(({ title }) => title));
			if (next === null) break;
			query = `&before=${next}`;
		}
		expect(titles).toEqual(['old 1', 'rm 5', 'old 3', 'old 2', 'rm 3', 'rm 1', 'old 4']);
	}
	expect((await sum('?kind=denied')).count).toBe(7);
	expect((await list('?session=old&since=2026-01-01T12:03:00Z')).decisions).toHaveLength(3);
	expect((await list('?until=2026-01-01T12:03:00Z')).decisions.map(({ title }) => title)).toEqual(['rm 1', 'old 4']);
});

test('what happened next is included if it is asked for', async () => {
	const { list } = await open({ s1: [1, 3].flatMap((n) => denied('s1', n, 'a')) }, [archivedAt(0, 1)]);
	expect((await list('')).decisions.filter(({ followed }) => followed)).toEqual([]);
	expect(
		(await list('?followed=true')).decisions.map(({ followed }) => [followed?.again?.title, followed?.calls.length]),
	).toEqual([
		[undefined, 0],
		['rm 3', 1],
		[undefined, 0],
	]);
});
