import { expect, test } from 'vitest';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { ledgerCollector } from './ledger-collector.ts';

type Fields = { type: string; at: number } & Record<string, unknown>;
const by = { role: 'operator', via: 'browser' };

const called = (id: string, at: number, agentId?: string): Fields[] => [
	{ type: 'tool:call', at, toolUseId: id, tool: 'Bash', input: { command: `do ${id}` }, ...(agentId && { agentId }) },
];
const denied = (id: string, at: number, rule = 'r'): Fields[] => [
	...called(id, at),
	{ type: 'gate:verdict', at, toolUseId: id, gate: 'g', decision: 'deny', rule, reason: `no ${rule}`, facts: {} },
];
const ran = (id: string, at: number): Fields => ({
	type: 'tool:result',
	at,
	toolUseId: id,
	tool: 'Bash',
	response: {},
});
const overridden = (id: string, at: number): Fields[] => [
	...denied(id, at),
	{
		...{ type: 'approval:request', at, approvalId: `a-${id}`, toolUseId: id, tool: 'Bash', input: {} },
		...{ inputDigest: 'd', denials: [{ gate: 'g', rule: 'r', reason: 'no' }], deadline: time(at + 60) },
	},
	{ type: 'approval:resolve', at, approvalId: `a-${id}`, toolUseId: id, decision: 'approve', by },
];
const time = (at: number) => new Date(Date.UTC(2026, 0, 1, 12, 0, at)).toISOString();

function linesOf(events: readonly Fields[]) {
	const collector = ledgerCollector('s');
	for (const [n, { at, ...fields }] of events.entries())
		collector.add({
			...{ id: `e${n}`, ts: time(at), category: 'x', label: '', sessionId: 's', seq: n + 1 },
			...fields,
		} as IndexedEvent);
	return collector.lines();
}

test('an override lists the next calls of its agent, whether its rule stopped one again, and how the stage ended', () => {
	const [first, second] = linesOf([
		{ type: 'session:start', at: 0, project: 'shop' },
		{ type: 'stage:start', at: 1, stage: 'DEV' },
		...overridden('one', 2),
		ran('one', 3),
		...called('of another agent', 4, 'sub'),
		...called('two', 5),
		ran('two', 6),
		...denied('other rule', 7, 'q'),
		...called('three', 8),
		...denied('again', 9),
		{ type: 'stage:complete', at: 10, stage: 'DEV', result: 'fail' },
		{ type: 'session:end', at: 11 },
	]);
	expect(first).toMatchObject({ isOverridden: true, outcome: 'ran', project: 'shop' });
	expect(first?.followed).toEqual({
		calls: [
			{ rowKey: 'call:two', at: time(5), tool: 'Bash', title: 'do two', outcome: 'ran' },
			{ rowKey: 'call:other rule', at: time(7), tool: 'Bash', title: 'do other rule', outcome: 'never-ran' },
			{ rowKey: 'call:three', at: time(8), tool: 'Bash', title: 'do three', outcome: expect.any(String) },
		],
		again: { rowKey: 'call:again', at: time(9), tool: 'Bash', title: 'do again' },
		stage: { stage: 'DEV', result: 'fail' },
	});
	expect(second?.followed?.again).toBeUndefined();
});

test('nothing followed the last one, and a running stage has not ended', () => {
	const [line] = linesOf([{ type: 'stage:start', at: 1, stage: 'DEV' }, ...denied('one', 2)]);
	expect(line?.followed).toEqual({ calls: [], stage: { stage: 'DEV', result: null } });
	expect(linesOf(denied('one', 2))[0]?.followed).toEqual({ calls: [] });
});

test('memory is bounded, and the outcome of a call long after its decision is still listed', () => {
	const many = Array.from({ length: 5100 }, (): Fields => ({ type: 'session:notice', at: 3, message: 'x' }));
	const [line] = linesOf([...overridden('one', 2), ...called('next', 3), ...many, ran('next', 4)]);
	expect(line?.followed?.calls.map(({ title, outcome }) => [title, outcome])).toEqual([['do next', 'ran']]);
	const stop = { gate: 'g', decision: 'deny', rule: 'r', reason: 'no', facts: {}, hook: 'Stop' };
	const lines = linesOf(
		Array.from({ length: 2100 }, (_, index): Fields => ({ type: 'gate:verdict', at: index, ...stop })),
	);
	expect(lines).toHaveLength(2000);
});
