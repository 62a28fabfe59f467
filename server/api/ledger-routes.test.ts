import { expect, test } from 'vitest';
import { DecisionsAnswer, LedgerSummary } from '#lib/contract/decisions.ts';
import { openGateOf } from '../testing/gate-of-timelines.ts';
import { samplePrompt } from '../testing/timeline-rig.ts';

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

async function open(timelines: Readonly<Record<string, readonly object[]>>) {
	const ask = await openGateOf(timelines);
	const get = (path: string, role: 'viewer' | 'edge' = 'viewer') => ask(`/api/decisions${path}`, role);
	return {
		get,
		list: async (query: string) => DecisionsAnswer.parse(JSON.parse((await get(query)).text)),
		sum: async (query: string) => LedgerSummary.parse(JSON.parse((await get(`/summary${query}`)).text)),
	};
}

test('R1413 the ledger of all sessions comes by pages, the newest first, and its sums agree with it', async () => {
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

test('R1413 a filter that does not fit is refused with its name, and who may only record reads nothing', async () => {
	const { get } = await open({});
	for (const query of ['?kind=x', '?state=waiting,x', '?since=yesterday', '?session=../x', '?limit=0', '?before=x']) {
		const { status, text } = await get(query);
		expect([query, status]).toEqual([query, 400]);
		expect(text).toContain(/\w+/u.exec(query)?.[0]);
	}
	expect((await get('', 'edge')).status).toBe(403);
	expect((await get('/summary', 'edge')).status).toBe(403);
});
