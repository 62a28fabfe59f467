import { createStore } from 'zustand/vanilla';
import type { PartAnswer, SessionOutline } from '#lib/contract/archives/replay.ts';
import type { Row } from '#lib/contract/sessions/read-model/row.ts';
import { foldPart, type PartState, seqAt, startOf } from '#lib/replay/recording.ts';
import { windowOf, withRows } from '#lib/timeline/row-window.ts';
import type { SessionSource } from '../live/session-source.ts';
import { loadingSession, type SessionState } from '../live/session-state.ts';
import type { RecordingReads } from './recording-reads.ts';

/** A source that stands at one instant of a recorded session; `moveTo` takes it to another. */
export interface RecordingSource extends SessionSource {
	/** Shows the session at an instant (ms) that the part holds. */
	moveTo: (part: PartAnswer, instant: number) => void;
}

const DEFAULT_LIMIT = 200;
/** Of what is still to come: more could not be told apart. */
const COMING_LIMIT = 500;
/** Rows of which it is known where they began; a reader opens few of them. */
const MAX_BEGUN = 20_000;

/**
 * The parts of a session page read from this source as they read from the live one: what is near the instant from a part
 * that is folded here, the rest from the server. A whole recording is read from its start.
 */
export function createRecordingSource(
	reads: RecordingReads,
	outline: SessionOutline,
	readsFrom: SessionSource['readsFrom'],
): RecordingSource {
	const { sessionId } = outline;
	const store = createStore<{ session: SessionState | null }>(() => ({ session: loadingSession(sessionId) }));
	const begun = new Map<string, number>();
	let shown: { part: PartAnswer; state: PartState } | null = null;
	let head: readonly Row[] | null = null;
	const seqNow = () => shown?.state.view.seq ?? 0;

	function remember(rows: readonly Row[]): readonly Row[] {
		if (begun.size > MAX_BEGUN) begun.clear();
		for (const { key, seq } of rows) begun.set(key, seq);
		return rows;
	}

	function show(): void {
		if (!shown) return;
		const { part, state } = shown;
		const whole = withRows(windowOf(part.rows), [...state.changed.values()]);
		const isCut = readsFrom === 'start' && whole.hasOlder;
		if (isCut && head === null) return;
		const window = isCut && head ? { rows: head, hasOlder: false, atTail: false } : whole;
		remember(window.rows);
		// Rows by range were asked for as of this part.
		const epoch = String(part.after);
		store.setState({ session: { ...loadingSession(sessionId), status: 'ready', epoch, view: state.view, window } });
	}

	return {
		isLive: false,
		...(readsFrom === 'end' && {
			coming: {
				...outline,
				async getRows(_sessionId, after) {
					const answer = await reads.rows(sessionId, { seq: outline.events, after, limit: COMING_LIMIT });
					return answer.ok ? answer.data.rows : [];
				},
			},
		}),
		readsFrom,
		store,
		getBlob: reads.blob,
		getHandoff: reads.handoff,
		put: (session) => store.setState({ session }),
		moveTo(part, instant) {
			const near = shown?.part.after === part.after ? shown.state : startOf(part);
			const state = foldPart(part, seqAt(part, instant), near);
			if (shown?.part === part && state === shown.state) return;
			shown = { part, state };
			show();
			if (readsFrom === 'end' || head !== null) return;
			const query = { seq: state.view.seq, after: 0, limit: DEFAULT_LIMIT };
			void reads.rows(sessionId, query).then((answer) => {
				head = answer.ok ? answer.data.rows : part.rows;
				show();
			});
		},
		async getRows(_sessionId, { before, after, limit = DEFAULT_LIMIT }) {
			const query = {
				seq: seqNow(),
				limit,
				...(before !== undefined && { before }),
				...(after !== undefined && { after }),
			};
			const answer = await reads.rows(sessionId, query);
			if (answer.ok) remember(answer.data.rows);
			return answer;
		},
		async getDensity() {
			const seq = seqNow();
			const points = outline.points.filter((point) => point.seq <= seq);
			return { ok: true, data: { points } };
		},
		async getEvents(_sessionId, { after = 0, limit = DEFAULT_LIMIT, row }) {
			const seq = seqNow();
			if (after >= seq) return { ok: true, data: { events: [] } };
			const place = row === undefined ? undefined : begun.get(row);
			const query = { after, limit, ...(row !== undefined && { row }), ...(place !== undefined && { begun: place }) };
			const answer = await reads.events(sessionId, query);
			if (!answer.ok) return answer;
			return { ok: true, data: { events: answer.data.events.filter((event) => event.seq <= seq) } };
		},
	};
}
