import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CallView } from '../contract/sessions/read-model/call-view.ts';
import { SERVER_RESTARTED } from '../session/call.ts';
import { callRow } from '../session/fold-call.ts';
import { busyIn, lanesOf } from './lanes.ts';

const at = (seconds: number) => new Date(seconds * 1000).toISOString();
const row = (toolUseId: string, from: number, change: Partial<CallView> = {}) =>
	callRow({
		toolUseId,
		seq: from + 1,
		at: at(from),
		calledAt: at(from),
		tool: 'Bash',
		title: 'ls',
		verdicts: [],
		...change,
	});
const deny: CallView['verdicts'][number] = { gate: 'g', decision: 'deny', rule: 'r', reason: '' };
const barsOf = (...rows: ReturnType<typeof row>[]) =>
	lanesOf(rows, 100_000).flatMap(({ bars }) =>
		bars.map(({ kind, from, to, isOpen }) => [kind, from / 1000, to / 1000, isOpen]),
	);

test('R335 a call is a bar from its request to its end; a running one ends now', () => {
	expect(barsOf(row('a', 1, { evidence: 'ran', endedAt: at(5) }), row('b', 7))).toEqual([
		['call', 1, 5, false],
		['call', 7, 100, true],
	]);
	expect(barsOf(row('a', 1, { evidence: 'ran', durationMs: 3000 }))).toEqual([['call', 1, 4, false]]);
	expect(barsOf(row('a', 1, { closed: { at: at(9), why: 'turn-ended' } }))).toEqual([['call', 1, 9, false]]);
});

test('R335 waiting for a sub-agent is distinguished from working; a background agent is not waited for', () => {
	const agent = {
		tool: 'Agent',
		agentName: 'tester',
		evidence: 'ran',
		endedAt: at(2),
		agentEnd: { at: at(9) },
	} as const;
	expect(barsOf(row('a', 1, { ...agent, endedAt: at(9) }))).toEqual([['wait', 1, 9, false]]);
	expect(barsOf(row('a', 1, { ...agent, background: true }))).toEqual([['call', 1, 9, false]]);
});

test('a call that waited for its agent is over when it returns, also if the agent is woken once more', () => {
	const agent = {
		tool: 'Agent',
		agentName: 'tester',
		evidence: 'ran',
		endedAt: at(3),
		agentEnd: { at: at(60) },
	} as const;
	expect(barsOf(row('a', 1, agent))).toEqual([['wait', 1, 3, false]]);
});

test('R335 a hold is a bar of its own, before the call if it then ran', () => {
	const verdicts = [deny];
	const approval = { approvalId: 'x', tool: 'Bash', title: '', denials: [], requestedAt: at(2) };
	expect(barsOf(row('a', 1, { verdicts, approval: { ...approval, state: 'waiting' } }))).toEqual([
		['hold', 2, 100, true],
	]);
	const denied = { ...approval, state: 'denied', decidedAt: at(5) } as const;
	expect(barsOf(row('a', 1, { verdicts, approval: denied }))).toEqual([['hold', 2, 5, false]]);
	const approved = { ...approval, state: 'approved', decidedAt: at(5) } as const;
	expect(barsOf(row('a', 1, { verdicts, approval: approved, evidence: 'ran', endedAt: at(8) }))).toEqual([
		['hold', 2, 5, false],
		['call', 5, 8, false],
	]);
	expect(barsOf(row('a', 1, { verdicts }))).toEqual([['call', 1, 1, false]]);
});

test('a hold that nobody saw end is drawn as one that lasted at most so long', () => {
	const left: NonNullable<CallView['approval']> = {
		...{ approvalId: 'x', tool: 'Bash', title: '', denials: [], requestedAt: at(2), decidedAt: at(30) },
		...{ state: 'abandoned', reason: SERVER_RESTARTED },
	};
	const marksOf = (change: { reason?: string }, more: Partial<CallView> = {}) =>
		lanesOf([row('a', 1, { verdicts: [deny], approval: { ...left, ...change }, ...more })], 100_000).flatMap(
			({ bars }) => bars.map(({ kind, to, isAtMost }) => [kind, to / 1000, isAtMost]),
		);
	expect(marksOf({})).toEqual([['hold', 30, true]]);
	expect(marksOf({}, { evidence: 'ran', endedAt: at(9) })).toEqual([
		['hold', 9, true],
		['call', 9, undefined],
	]);
	expect(marksOf({ reason: 'the agent is gone' })).toEqual([['hold', 30, undefined]]);
});

test('R335 in one lane no two bars of one depth overlap, and every actor has its lane', () => {
	const drawn = fc.array(
		fc.record({ from: fc.nat(90), length: fc.nat(20), agentId: fc.constantFrom(undefined, 'a1', 'a2') }),
		{ maxLength: 40 },
	);
	fc.assert(
		fc.property(drawn, (calls) => {
			const rows = calls.map(({ from, length, agentId }, index) =>
				row(`t${index}`, from, { evidence: 'ran', endedAt: at(from + length), ...(agentId && { agentId }) }),
			);
			const lanes = lanesOf(rows, 100_000);
			expect(new Set(lanes.map(({ agentId }) => agentId)).size).toBe(new Set(calls.map(({ agentId }) => agentId)).size);
			for (const { bars, depth } of lanes) {
				for (const bar of bars) {
					expect(bar.depth).toBeLessThan(depth);
					const beside = bars.filter((other) => other !== bar && other.depth === bar.depth && other.from <= bar.from);
					expect(beside.every((other) => other.to <= bar.from || other.from === bar.from)).toBe(true);
				}
			}
			const busy = busyIn(lanes);
			expect(busy.every(({ from, to }, index) => to >= from && from > (busy[index - 1]?.to ?? -1))).toBe(true);
		}),
	);
});
