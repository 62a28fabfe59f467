import { createStore } from 'zustand/vanilla';
import { getKeptBlob, getKeptHandoff } from '../features/feature-api.ts';
import type { SessionSource } from '../live/session-source.ts';
import type { SessionState } from '../live/session-state.ts';
import { type RecordedSession, rowsOf, stateAt } from './recorded-session.ts';

/** A source that stands at one place of a recording; `moveTo` takes it to another. */
export interface RecordingSource extends SessionSource {
	/** Shows the session after its first `count` events. */
	moveTo: (recording: RecordedSession, count: number) => void;
}

const DEFAULT_LIMIT = 200;

/** The parts of a session page read from this source as they read from the live one. */
export function createRecordingSource(featureId: string, start: RecordedSession, count: number): RecordingSource {
	let recording = start;
	let folded: SessionState = stateAt(recording, count);
	const store = createStore<{ session: SessionState | null }>(() => ({ session: folded }));
	return {
		isLive: false,
		store,
		getBlob: (sessionId, sha) => getKeptBlob(featureId, sessionId, sha),
		getHandoff: (sessionId, name) => getKeptHandoff(featureId, sessionId, name),
		put: (session) => store.setState({ session }),
		moveTo(next, to) {
			const before = folded;
			folded = stateAt(next, to, before);
			recording = next;
			if (folded !== before) store.setState({ session: folded });
		},
		async getRows(_sessionId, { before, after, limit = DEFAULT_LIMIT }) {
			const range = { limit, ...(before !== undefined && { before }), ...(after !== undefined && { after }) };
			return { ok: true, data: { rows: rowsOf(recording, folded, range) } };
		},
		async getEvents(_sessionId, { after = 0, limit = DEFAULT_LIMIT, row }) {
			const happened = recording.events.slice(after, folded.view?.seq ?? 0);
			const mine = row === undefined ? happened : happened.filter(({ seq }) => recording.rowKeys[seq - 1] === row);
			return { ok: true, data: { events: mine.slice(0, limit) } };
		},
	};
}
