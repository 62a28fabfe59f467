import { expect, test } from 'vitest';
import type { Row } from '../contract/sessions/read-model/row.ts';
import type { IndexedEvent } from '../contract/sessions/read-model/session-view.ts';
import { emptyView, fold } from '../session/fold.ts';
import { comingSpans } from './lanes.ts';

const call = (id: string, at: number, to: number, agentId?: string) =>
	[
		{ type: 'tool:call', toolUseId: id, tool: 'Bash', input: {}, at, ...(agentId && { agentId }) },
		{ type: 'tool:result', toolUseId: id, tool: 'Bash', response: 'x', at: to, ...(agentId && { agentId }) },
	] as const;

function rowsOf(events: readonly { type: string; at: number }[]): Row[] {
	const rows = new Map<string, Row>();
	let view = emptyView('s');
	for (const [n, { at, ...fields }] of events.entries()) {
		const event = { id: `e${n}`, ts: new Date(at).toISOString(), sessionId: 's', seq: n + 1, category: '', label: '' };
		const step = fold(view, { ...event, ...fields } as IndexedEvent, (key) => rows.get(key));
		view = step.view;
		for (const row of step.rows) rows.set(row.key, row);
	}
	return [...rows.values()];
}

const rows = rowsOf([...call('one', 0, 30), ...call('two', 40, 60), ...call('three', 50, 90, 'sub')]);
const whole = {
	to: 100,
	points: Array.from({ length: 10 }, (_, seq) => ({ seq: seq + 1, at: seq * 10 })),
	busy: [
		{ from: 0, to: 30 },
		{ from: 40, to: 100 },
	],
	runs: [
		{ stage: 'PLAN', from: 0, to: 20 },
		{ stage: 'DEV', from: 30, to: null },
	],
};

test('what is still to come begins at the instant: calls, stages that run on, and those of agents whom nobody knows yet', () => {
	expect(comingSpans(whole, rows, { now: 20, seq: 1, known: [undefined] })).toEqual({
		to: 100,
		busy: [
			{ from: 20, to: 30 },
			{ from: 40, to: 100 },
		],
		runs: [{ from: 30, to: 100 }],
		lanes: new Map([
			[undefined, [expect.objectContaining({ from: 20, to: 30 }), expect.objectContaining({ from: 40, to: 60 })]],
		]),
		others: [{ from: 50, to: 90, depth: 0 }],
	});
});

test('at the end nothing is to come, and of very much only what is near', () => {
	expect(comingSpans(whole, rows, { now: 100, seq: 6, known: [] })).toMatchObject({ to: null, runs: [], others: [] });
	const long = {
		...whole,
		to: 1e6,
		points: [
			{ seq: 1, at: 0 },
			{ seq: 3500, at: 70 },
			{ seq: 9000, at: 1e6 },
		],
	};
	expect(comingSpans(long, rows, { now: 20, seq: 1, known: [undefined, 'sub'] })).toMatchObject({ to: 70, others: [] });
});
