import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { IndexedEvent } from '#lib/session/view.ts';
import { emptyView } from '#lib/session/view.ts';
import { stepFrom } from '#lib/timeline/chapters.ts';
import { windowOf } from '#lib/timeline/row-window.ts';
import { applyBatches, applySnapshot, loadingSession } from '../live/session-state.ts';
import { CHECKPOINT_EVENTS, countAt, emptyRecording, rowsOf, stateAt, withEvents } from './recorded-session.ts';

const START = Date.UTC(2026, 0, 1, 12);
const envelope = (seq: number) => ({
	...{ id: `e${seq}`, seq, ts: new Date(START + seq * 1000).toISOString() },
	...{ category: 'tool', label: '', sessionId: 's' },
});
/** Calls and their results in turn: call of n, result of n. */
const eventAt = (seq: number): IndexedEvent => {
	const toolUseId = `t${Math.ceil(seq / 2)}`;
	if (seq % 2 === 1) return { ...envelope(seq), type: 'tool:call', toolUseId, tool: 'Bash', input: { command: 'ls' } };
	if (seq % 10 === 0) return { ...envelope(seq), type: 'tool:error', toolUseId, tool: 'Bash', error: 'no' };
	return { ...envelope(seq), type: 'tool:result', toolUseId, tool: 'Bash', response: 'x' };
};
const events = Array.from({ length: 2 * CHECKPOINT_EVENTS + 500 }, (_, at) => eventAt(at + 1));
const recorded = withEvents(withEvents(emptyRecording('s'), events.slice(0, 777)), events.slice(777));

test('R330 a recorded session at any place is what a live one was then', () => {
	const live = applySnapshot(loadingSession('s'), { topic: 'session:s', epoch: 'one', view: emptyView('s'), rows: [] });
	fc.assert(
		fc.property(fc.integer({ min: 1, max: events.length }), (count) => {
			const then = applyBatches(live, [{ topic: 'session:s', epoch: 'one', events: events.slice(0, count) }]);
			const state = stateAt(recorded, count);
			expect(state.view).toEqual(then?.view);
			expect(state.window.rows).toEqual(then?.window.rows);
		}),
		{ numRuns: 12 },
	);
});

test('R330 steps forward from a known state come to the same place', () => {
	const near = stateAt(recorded, 2_500);
	expect(stateAt(recorded, 2_600, near)).toEqual(stateAt(recorded, 2_600));
	expect(stateAt(recorded, 2_400, near).view?.seq).toBe(2_400);
	expect(stateAt(recorded, 0).view).toEqual(emptyView('s'));
});

test('R330 an instant holds what had happened by then, also where clocks went back', () => {
	expect([countAt(recorded, START), countAt(recorded, START + 3_500), countAt(recorded, START + 1e9)]).toEqual([
		...[0, 3, events.length],
	]);
	const back: IndexedEvent = { ...eventAt(3), ts: new Date(START).toISOString() };
	const odd = withEvents(emptyRecording('s'), [eventAt(1), eventAt(2), back]);
	expect([countAt(odd, START + 1_999), countAt(odd, START + 2_000)]).toEqual([1, 3]);
});

test('R330 rows outside the window are found again by range', () => {
	const state = stateAt(recorded, events.length);
	const cut = { ...state, window: windowOf(state.window.rows.slice(-100)) };
	const first = cut.window.rows[0]?.seq ?? 0;
	const older = rowsOf(recorded, state, { before: first, limit: 50 });
	expect([older.length, older[0]?.seq, older.at(-1)?.seq]).toEqual([50, first - 100, first - 2]);
	expect(rowsOf(recorded, state, { after: 0, limit: 2 }).map(({ seq }) => seq)).toEqual([1, 3]);
});

test('R331 steps go to the next moment on either side, and nowhere past the ends', () => {
	const moments = [10, 20, 20, 30];
	expect([stepFrom(moments, 10, 1), stepFrom(moments, 20, 1), stepFrom(moments, 30, 1)]).toEqual([20, 30, null]);
	expect([stepFrom(moments, 30, -1), stepFrom(moments, 25, -1), stepFrom(moments, 10, -1)]).toEqual([20, 20, null]);
});
