import { describe, expect, test } from 'vitest';
import type { EventBatch } from '#lib/contract/realtime/wire.ts';
import type { IndexedEvent } from '#lib/contract/sessions/read-model/session-view.ts';
import { emptyView } from '#lib/session/fold.ts';
import { applyBatches, applySnapshot, loadingSession } from '#lib/session/session-state.ts';
import { type Connection, lost, OFFLINE_AFTER_MS } from './store.ts';

const at = (seq: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, seq)).toISOString();
const envelope = (seq: number) => ({ id: `e${seq}`, ts: at(seq), category: 'tool', label: '', sessionId: 's', seq });
const call = (seq: number): IndexedEvent => ({
	...envelope(seq),
	type: 'tool:call',
	toolUseId: `t${seq}`,
	tool: 'Read',
	input: { file_path: '/a' },
});
const batch = (events: IndexedEvent[], epoch = 'one'): EventBatch => ({ topic: 'session:s', epoch, events });
const ready = applySnapshot(loadingSession('s'), { topic: 'session:s', epoch: 'one', view: emptyView('s'), rows: [] });

describe('the session on screen', () => {
	test('batches are folded in, in one step', () => {
		const next = applyBatches(ready, [batch([call(1)]), batch([call(2), call(3)])]);
		expect(next?.view?.seq).toBe(3);
		expect(next?.window.rows.map(({ key }) => key)).toEqual(['call:t1', 'call:t2', 'call:t3']);
		expect(next?.arrived).toBe(3);
	});

	test('what is already in changes nothing', () => {
		const once = applyBatches(ready, [batch([call(1), call(2)])]);
		expect(once && applyBatches(once, [batch([call(1), call(2)])])).toBe(once);
	});

	test('a later event of a call changes its row and adds none', () => {
		const once = applyBatches(ready, [batch([call(1), call(2)])]);
		const result: IndexedEvent = { ...envelope(3), type: 'tool:result', toolUseId: 't1', tool: 'Read', durationMs: 4 };
		const next = once && applyBatches(once, [batch([result])]);
		expect(next?.window.rows.map(({ call: view }) => view?.evidence)).toEqual(['ran', undefined]);
		expect(next?.arrived).toBe(2);
		expect(next?.window.rows[1]).toBe(once?.window.rows[1]);
	});

	test('a hole or another epoch asks for a new subscription and changes nothing', () => {
		expect(applyBatches(ready, [batch([call(2)])])).toBeNull();
		expect(applyBatches(ready, [batch([call(1)], 'two')])).toBeNull();
	});

	test('before the snapshot nothing is folded', () => {
		const loading = loadingSession('s');
		expect(applyBatches(loading, [batch([call(1)])])).toBe(loading);
	});

	test('a lost connection is first reconnecting, then offline since the moment it was lost', () => {
		const first = lost({ state: 'live' }, 1_000);
		expect(first).toEqual({ state: 'reconnecting', since: 1_000 });
		expect(lost(first, 2_000)).toBe(first);
		expect(lost(first, 1_001 + OFFLINE_AFTER_MS)).toEqual({ state: 'offline', since: 1_000 });
	});

	test('an old page or an ended sign-in stays on screen until the connection is back', () => {
		const outdated: Connection = { state: 'outdated' };
		expect(lost(outdated, 5)).toBe(outdated);
	});
});
