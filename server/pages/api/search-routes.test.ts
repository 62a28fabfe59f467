import { expect, test } from 'vitest';
import { SearchAnswer } from '#lib/contract/sessions/session-queries.ts';
import { openGateOf } from '../../testing/gate-of-timelines.ts';
import { samplePrompt } from '../../testing/timeline-rig.ts';

/** The real route over the real index of these sessions. */
async function open(timelines: Readonly<Record<string, readonly object[]>>) {
	const ask = await openGateOf(timelines);
	const get = (query: string, role: 'viewer' | 'edge' = 'viewer') => ask(`/api/search?${query}`, role);
	return {
		get,
		find: async (query: string) => SearchAnswer.parse(JSON.parse((await get(query)).text)),
	};
}

/** A call of a session and a denial of it: two events of one row. */
function deniedCall(sessionId: string, n: number, command: string) {
	const { id, ts } = samplePrompt(sessionId, n);
	const common = { ts, sessionId, toolUseId: `call-${n}`, category: 'tool', label: 'x' };
	const verdict = { gate: 'commands', decision: 'deny', rule: 'command.excluded', reason: `no ${command}`, facts: {} };
	return [
		{ ...common, id, type: 'tool:call', tool: 'Bash', input: { command } },
		{ ...common, id: `${id}-v`, type: 'gate:verdict', ...verdict },
	];
}

test('a search lists each row once, with its session, its position and the words in it', async () => {
	const { find } = await open({
		s1: [samplePrompt('s1', 1, { prompt: 'Mend the Cart', project: 'shop' }), ...deniedCall('s1', 2, 'rm cart.db')],
		s2: [samplePrompt('s2', 3, { prompt: 'nothing of it' })],
		_home: [samplePrompt('_home', 4, { prompt: 'the cart of the house' })],
	});
	const { results, next } = await find('q=CART');
	expect(results.map(({ sessionId, rowKey, seq }) => [sessionId, rowKey, seq])).toEqual([
		['s1', 'call:call-2', 3],
		['s1', 'event:e1', 1],
	]);
	expect(results[1]).toMatchObject({
		text: 'Mend the Cart',
		marks: [[9, 13]],
		project: 'shop',
		title: 'Mend the Cart',
	});
	expect(next).toBeNull();
});

test('a search is narrowed to the sessions of one client, however many rows of others come before them', async () => {
	const { find } = await open({
		mine: [samplePrompt('mine', 1, { make: 'codex' })],
		other: Array.from({ length: 7 }, (_, n) => samplePrompt('other', n + 2)),
	});
	const { results } = await find('q=say&limit=3&make=codex');
	expect(results).toMatchObject([{ sessionId: 'mine', agent: 'codex' }]);
	expect((await find('q=say&make=gemini')).results).toEqual([]);
	expect((await find('q=say&limit=3')).results.map(({ agent }) => agent)).toEqual(Array(3).fill('claude-code'));
});

test('answers go on where the one before has ended', async () => {
	const { find } = await open({ s1: Array.from({ length: 7 }, (_, n) => samplePrompt('s1', n + 1)) });
	const seqs: number[] = [];
	let query = 'q=say&limit=3';
	for (;;) {
		const { results, next } = await find(query);
		seqs.push(...results.map(({ seq }) => seq));
		if (next === null) break;
		query = `q=say&limit=3&before=${next}`;
	}
	expect(seqs).toEqual([7, 6, 5, 4, 3, 2, 1]);
});

test('every text is a search; an empty one is answered with what to do', async () => {
	const { get, find } = await open({ s1: [samplePrompt('s1', 1, { prompt: 'a "b" OR c' })] });
	for (const q of ['"b" or', '"OR c', "a' --", 'NEAR(', '*', '\u0000b', '(a OR', '%', '🧪'])
		expect((await get(`q=${encodeURIComponent(q)}`)).status).toBe(200);
	expect((await find(`q=${encodeURIComponent('"b" OR')}`)).results).toHaveLength(1);
	for (const query of [
		'',
		'q=',
		'q=%20%22%20',
		`q=${'x'.repeat(201)}`,
		'q=a&limit=0',
		'q=a&limit=201',
		'q=a&before=x',
	]) {
		const { status, text } = await get(query);
		expect([query, status]).toEqual([query, 400]);
		expect(text).not.toMatch(/fts|sqlite|syntax/iu);
	}
	expect((await get('q=')).text).toContain('write what to look for');
	for (const blank of ['%00', '%20%01', '%E2%80%8B', '%22']) expect((await get(`q=${blank}`)).status).toBe(400);
	expect((await get('q=a', 'edge')).status).toBe(403);
});
