import type { Chapter } from '#lib/timeline/chapters.ts';
import { barsAt, type StageBar, stageBars } from '#lib/timeline/stage-bars.ts';
import { busySpans, type Span } from '#lib/timeline/time-scale.ts';
import type { RecordedSession } from './recorded-session.ts';

/** All sessions of a feature on one axis. Times are ms since the epoch. */
export interface ReplayMoments {
	/** When something happened, ascending, each once. */
	moments: readonly number[];
	busy: readonly Span[];
	/** Ascending. */
	chapters: readonly Chapter[];
	rows: readonly { sessionId: string; stage: string; bars: readonly StageBar[] }[];
}

/** Puts recordings on one axis. */
export function replayMoments(sessions: readonly RecordedSession[]): ReplayMoments {
	const moments = [...new Set(sessions.flatMap(({ times }) => times))].filter(Number.isFinite).sort((a, b) => a - b);
	const rows = sessions.flatMap(({ sessionId, events }) => {
		const byStage = new Map<string, StageBar[]>();
		for (const bar of stageBars(events)) byStage.set(bar.stage, [...(byStage.get(bar.stage) ?? []), bar]);
		return [...byStage].map(([stage, bars]) => ({ sessionId, stage, bars }));
	});
	return {
		moments,
		busy: busySpans(moments.map((at) => ({ from: at, to: at }))),
		chapters: sessions.flatMap(({ chapters }) => chapters).sort((a, b) => a.at - b.at),
		rows,
	};
}

/** The stages' rows as they stood at an instant. */
export function rowsAt(rows: ReplayMoments['rows'], instant: number): ReplayMoments['rows'] {
	return rows.map((row) => ({ ...row, bars: barsAt(row.bars, instant) }));
}
