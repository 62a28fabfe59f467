import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DecisionRecord, LedgerEntry } from '../contract/archives/decisions.ts';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '../session/fold.ts';
import { ledgerFilter } from './ledger-filter.ts';
import { ledgerOf } from './ledger-of.ts';
import { createLedgerSums } from './summarise-ledger.ts';

type Fields = { type: string; at: number } & Record<string, unknown>;
const clock = (at: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString();
const by = { role: 'operator', via: 'browser', name: 'Anna' };

const called = (id: string, at: number): Fields => ({
	type: 'tool:call',
	at,
	toolUseId: id,
	tool: 'Bash',
	input: { command: `do ${id}` },
});
const judged = (id: string | undefined, at: number, decision = 'deny', rule = 'r'): Fields => ({
	...{ type: 'gate:verdict', at, gate: 'g', decision, rule, reason: `no ${rule}`, facts: {} },
	...(id === undefined ? { hook: 'Stop' } : { toolUseId: id }),
});
const request = (id: string, at: number): Fields => ({
	...{ type: 'approval:request', at, approvalId: `approval-${id}`, toolUseId: id, tool: 'Bash', input: {} },
	...{ inputDigest: 'd', denials: [{ gate: 'g', rule: 'r', reason: 'no' }], deadline: clock(at + 60) },
});
const resolved = (id: string, at: number, decision = 'approve'): Fields => ({
	...{ type: 'approval:resolve', at, approvalId: `approval-${id}`, toolUseId: id, decision, by, reason: 'because' },
});
const ran = (id: string, at: number): Fields => ({
	type: 'tool:result',
	at,
	toolUseId: id,
	tool: 'Bash',
	response: {},
});
const failed = (id: string, at: number): Fields => ({
	type: 'tool:error',
	at,
	toolUseId: id,
	tool: 'Bash',
	error: 'x',
});
const over = (at: number): Fields => ({ type: 'session:end', at });

/** The ledger and the view after these events, in this order. */
function play(events: readonly Fields[]) {
	const rows = new Map<string, Row>();
	const ledger = new Map<string, LedgerEntry>();
	let view = emptyView('s');
	for (const [n, { at, ...fields }] of events.entries()) {
		const event = { id: `e${at}`, ts: clock(at), category: 'x', label: '', sessionId: 's', seq: n + 1, ...fields };
		const step = fold(view, event as IndexedEvent, (key) => rows.get(key));
		for (const row of step.rows) rows.set(row.key, row);
		for (const line of ledgerOf(event as IndexedEvent, step)) ledger.set(line.rowKey, line);
		view = step.view;
	}
	return { view, lines: [...ledger.values()] };
}

describe('R1410 the outcome of a call in the ledger', () => {
	test.each([
		[
			'nobody was asked',
			[called('a', 1), judged('a', 2), over(9)],
			{ state: 'unasked', outcome: 'never-ran', isDenied: true, at: clock(1) },
		],
		[
			'it waits',
			[called('a', 1), judged('a', 2), request('a', 3)],
			{ state: 'waiting', outcome: 'waiting', isDenied: false },
		],
		[
			'approved, and ran',
			[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8), ran('a', 9)],
			{ state: 'approved', outcome: 'ran', isOverridden: true, decideMs: 5000, by, reason: 'because', at: clock(8) },
		],
		[
			'approved, and failed',
			[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8), failed('a', 9)],
			{ state: 'approved', outcome: 'failed' },
		],
		[
			'approved, and never ran',
			[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8), over(9)],
			{ state: 'approved', outcome: 'never-ran', isDenied: false },
		],
		[
			'approved, but the agent had been denied before it heard of that',
			[
				called('a', 1),
				judged('a', 2),
				request('a', 3),
				resolved('a', 8),
				{ type: 'approval:late', at: 20, approvalId: 'approval-a', toolUseId: 'a' },
				over(30),
			],
			{ state: 'late', outcome: 'never-ran', isDenied: true, isOverridden: false, decideMs: 5000, by, at: clock(8) },
		],
		[
			'denied by a person',
			[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8, 'deny')],
			{ state: 'denied', outcome: 'never-ran', isDenied: true, isOverridden: false },
		],
		[
			'nobody answered',
			[
				called('a', 1),
				judged('a', 2),
				request('a', 3),
				{ type: 'approval:expire', at: 63, approvalId: 'approval-a', toolUseId: 'a' },
			],
			{ state: 'expired', outcome: 'never-ran', isDenied: true },
		],
		[
			'denied, but ran',
			[called('a', 1), judged('a', 2), ran('a', 3)],
			{ state: 'unasked', outcome: 'ran', isDenied: false },
		],
		[
			'let run by a grant',
			[
				called('a', 1),
				judged('a', 2),
				{
					type: 'grant:use',
					at: 3,
					toolUseId: 'a',
					grantId: 'grant-00',
					scope: 'once',
					reason: 'ok',
					by,
					tool: 'Bash',
					inputDigest: 'd',
				},
				ran('a', 4),
			],
			{ state: 'granted', outcome: 'ran', isOverridden: true, reason: 'ok' },
		],
		[
			'a stop that was refused',
			[judged(undefined, 1)],
			{ state: 'unasked', outcome: 'never-ran', isDenied: true, isStop: true },
		],
	] as [string, Fields[], Partial<LedgerEntry>][])('R1410 %s', (_what, events, line) => {
		expect(play(events).lines).toEqual([expect.objectContaining(line)]);
	});

	test('R1410 what nobody objected to has no line, nor has what anybody could have written', () => {
		expect(play([called('a', 1), judged('a', 2, 'pass'), ran('a', 3)]).lines).toEqual([]);
		expect(play([{ ...request('a', 1), toolUseId: undefined, unverified: true }]).lines).toEqual([]);
	});
});

test('the ledger counts what sessions and rules count, in whatever order the events of a call arrive', () => {
	const story = fc
		.array(
			fc.tuple(
				fc.constantFrom('ask', 'approve', 'deny', 'none'),
				fc.constantFrom('ran', 'failed', 'none'),
				fc.constantFrom('r', 'q'),
			),
			{ maxLength: 6 },
		)
		.chain((calls) => {
			const events = calls.flatMap(([answer, end, rule], n) => {
				const id = `c${n}`;
				const from = n * 10;
				return [
					called(id, from),
					judged(id, from + 1, 'deny', rule),
					...(answer === 'none' ? [] : [request(id, from + 2)]),
					...(answer === 'approve' || answer === 'deny' ? [resolved(id, from + 3, answer)] : []),
					...(end === 'none' ? [] : [end === 'ran' ? ran(id, from + 4) : failed(id, from + 4)]),
					judged(undefined, from + 5),
				];
			});
			return fc.shuffledSubarray(events, { minLength: events.length });
		});
	fc.assert(
		fc.property(story, (events) => {
			const { view, lines } = play(events);
			const count = (wanted: Parameters<typeof ledgerFilter>[0]) =>
				lines.filter((line) => ledgerFilter(wanted)({ ...line, agent: 'claude-code' })).length;
			expect(count({ kind: 'denied-calls' })).toBe(view.counters.denials);
			expect(count({ kind: 'overridden' })).toBe(view.counters.overrides);
			for (const [rule, { denied, overridden }] of Object.entries(view.rules ?? {}))
				expect([rule, count({ kind: 'denied', rule }), count({ kind: 'overridden', rule })]).toEqual([
					rule,
					denied,
					overridden,
				]);
		}),
	);
});

test('sums are those of the lines, by day of the reader', () => {
	const { lines } = play([
		...[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8), ran('a', 9)],
		...[called('b', 11), judged('b', 12), request('b', 13), resolved('b', 14, 'deny')],
	]);
	const sums = createLedgerSums(-12 * 60);
	for (const [index, line] of lines.entries())
		sums.add({ ...line, agent: index === 0 ? 'codex' : 'gemini', project: 'shop' });
	expect(sums.total()).toMatchObject({
		...{ count: 2, denied: 1, overridden: 1, decideMs: 5000 },
		rules: [{ name: 'r', count: 2, denied: 1, overridden: 1 }],
		people: [{ name: 'Anna', count: 2 }],
		projects: [{ name: 'shop', count: 2 }],
		makes: [
			{ name: 'codex', count: 1 },
			{ name: 'gemini', count: 1 },
		],
		days: [{ day: '2026-01-02', denied: 1, overridden: 1 }],
	});
});

test('days are counted by rule and by person, the most frequent first, and by neither if not asked', () => {
	const { lines } = play([
		...[called('a', 1), judged('a', 2), request('a', 3), resolved('a', 8), ran('a', 9)],
		...[called('b', 11), judged('b', 12)],
	]);
	const sumsBy = (by?: 'rule' | 'person') => {
		const sums = createLedgerSums(0, by);
		for (const line of lines) sums.add({ ...line, agent: 'codex' });
		return sums.total().series;
	};
	const day = { day: '2026-01-01', denied: 1, overridden: 1, decideMs: 5000 };
	expect(sumsBy('rule')).toEqual([{ name: 'r', days: [day] }]);
	expect(sumsBy('person')).toEqual([{ name: 'Anna', days: [{ ...day, denied: 0 }] }]);
	expect(sumsBy()).toEqual([]);
});

test('every filter holds, and a part of a session is only that', () => {
	const [line] = play([called('a', 1), judged('a', 2)]).lines as [DecisionRecord];
	const at = Date.parse(line.at);
	const fits = (wanted: Parameters<typeof ledgerFilter>[0]) => ledgerFilter(wanted)({ ...line, project: 'shop' });
	for (const wanted of [
		{},
		{ rule: 'r' },
		{ gate: 'g' },
		{ project: 'shop' },
		{ session: 's' },
		{ session: `x,s:${at}-${at}` },
	])
		expect([wanted, fits(wanted)]).toEqual([wanted, true]);
	for (const wanted of [
		{ rule: 'R' },
		{ gate: 'r' },
		{ person: 'Anna' },
		{ project: 'x' },
		{ session: 'x' },
		{ session: `s:0-${at - 1}` },
	])
		expect([wanted, fits(wanted)]).toEqual([wanted, false]);
});
