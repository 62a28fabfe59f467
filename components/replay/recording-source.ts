import { createStore } from 'zustand/vanilla';

import { samplePoints } from '#lib/timeline/density.ts';
import { callRoute } from '../live/call-route.ts';

import type { SessionSource } from '../live/session-source.ts';
import type { SessionState } from '../live/session-state.ts';
import { type RecordedSession, rowsOf, stateAt } from './recorded-session.ts';

/** A source that stands at one place of a recording; `moveTo` takes it to another. */
export interface RecordingSource extends SessionSource {
	/** Shows the session after its first `count` events. */
	moveTo: (recording: RecordedSession, count: number) => void;
}

const DEFAULT_LIMIT = 200;

/**
 * The parts of a session page read from this source as they read from the live one, a whole recording from its start.
 */
export function createRecordingSource(
	featureId: string,
	start: RecordedSession,
	count: number,
	readsFrom: SessionSource['readsFrom'],
): RecordingSource {
	let recording = start;
	let folded: SessionState = stateAt(recording, count);
	const shown = () => (readsFrom === 'start' ? withHead(recording, folded) : folded);
	const store = createStore<{ session: SessionState | null }>(() => ({ session: shown() }));
	return {
		isLive: false,
		readsFrom,
		store,
		getBlob: (sessionId, sha) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/blobs/:sha', { params: { id: featureId, sessionId, sha } }),
		getHandoff: (sessionId, name) =>
			callRoute('GET /api/features/:id/sessions/:sessionId/handoffs/:name', {
				params: { id: featureId, sessionId, name },
			}),
		put: (session) => store.setState({ session }),
		moveTo(next, to) {
			const before = folded;
			folded = stateAt(next, to, before);
			recording = next;
			if (folded !== before) store.setState({ session: shown() });
		},
		async getRows(_sessionId, { before, after, limit = DEFAULT_LIMIT }) {
			const range = { limit, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
			return { ok: true, data: { rows: rowsOf(recording, folded, range) } };
		},
		async getDensity() {
			const points = samplePoints(folded.view?.seq ?? 0, (seq) => recording.times[seq - 1]);
			return { ok: true, data: { points } };
		},
		async getEvents(_sessionId, { after = 0, limit = DEFAULT_LIMIT, row }) {
			const happened = recording.events.slice(after, folded.view?.seq ?? 0);
			const mine = row === undefined ? happened : happened.filter(({ seq }) => recording.rowKeys[seq - 1] === row);
			return { ok: true, data: { events: mine.slice(0, limit) } };
		},
	};
}

/** With the first rows in its window where it does not hold them all. */
function withHead(recording: RecordedSession, state: SessionState): SessionState {
	if (!state.window.hasOlder) return state;
	const rows = rowsOf(recording, state, { after: 0, limit: DEFAULT_LIMIT });
	return { ...state, window: { rows, hasOlder: false, atTail: false } };
}
